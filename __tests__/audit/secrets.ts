/** What must not be in any event: by value, what it is. */
export type Secrets = Map<string, string>;

const fieldNames = ['code', 'refresh_token', 'token', 'client_secret', 'csrf', 'code_verifier'];
const memberNames = ['access_token', 'refresh_token', 'id_token'];
const inPages = /(?:name|id)="(csrf|client_secret)" value="([^"]+)"/g;

/** Remembers every credential that `fetch` sends or receives, until `stop` is called. */
export function watchSecrets(): { readonly secrets: Secrets; readonly stop: () => void } {
  const secrets: Secrets = new Map();
  const original = globalThis.fetch;
  const keep = (what: string, value: unknown): void => {
    if (typeof value !== 'string' || value.length < 12) return;
    secrets.set(value, what);
    // The first part of a refresh token is the same for months, and whoever has it can end its connection.
    if (what === 'refresh_token') keep('handle', value.split('~')[0]);
  };
  globalThis.fetch = async (input, init = {}) => {
    if (init.body instanceof URLSearchParams) for (const name of fieldNames) keep(name, init.body.get(name));
    keep('access_token', new Headers(init.headers).get('authorization')?.slice('Bearer '.length));
    const response = await original(input, init);
    for (const cookie of response.headers.getSetCookie()) keep('cookie', /=([^;]*)/.exec(cookie)?.[1]);
    const location = URL.parse(response.headers.get('location') ?? '', response.url);
    keep('code', location?.searchParams.get('code'));
    const text = await response.clone().text();
    for (const [, name = '', value] of text.matchAll(inPages)) keep(name, value);
    if (text.startsWith('{')) for (const name of memberNames) keep(name, JSON.parse(text)[name]);
    return response;
  };
  return {
    secrets,
    stop: () => {
      globalThis.fetch = original;
    },
  };
}
