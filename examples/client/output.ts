const secrets = new Set(['access_token', 'refresh_token', 'id_token', 'code', 'device_code']);

let step = 0;

/** Prints the heading of the next step. */
export function heading(text: string): void {
  step += 1;
  console.log(`\n${step}. ${text}`);
}

/** Prints a response as JSON, with shortened tokens. */
export function show(response: unknown): void {
  const text = JSON.stringify(response, withoutSecrets, 2);
  console.log(text.replace(/^/gm, '   '));
}

export function print(text: string): void {
  console.log(`   ${text}`);
}

/** The start of a secret, enough to distinguish two. */
export function shorten(secret: string): string {
  return secret.length > 12 ? `${secret.slice(0, 8)}…` : secret;
}

function withoutSecrets(key: string, value: unknown): unknown {
  return secrets.has(key) && typeof value === 'string' ? shorten(value) : value;
}
