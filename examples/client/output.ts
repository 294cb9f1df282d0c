const secrets = new Set(['access_token', 'refresh_token', 'id_token', 'code']);

let step = 0;

/** Begins a step. */
export function heading(text: string): void {
  step += 1;
  console.log(`\n${step}. ${text}`);
}

/** Shows an answer as JSON, with tokens cut short. */
export function show(answer: unknown): void {
  const text = JSON.stringify(answer, withoutSecrets, 2);
  console.log(text.replace(/^/gm, '   '));
}

/** Says something. */
export function say(text: string): void {
  console.log(`   ${text}`);
}

/** A secret's beginning, enough to tell two apart. */
export function shorten(secret: string): string {
  return secret.length > 12 ? `${secret.slice(0, 8)}…` : secret;
}

function withoutSecrets(key: string, value: unknown): unknown {
  return secrets.has(key) && typeof value === 'string' ? shorten(value) : value;
}
