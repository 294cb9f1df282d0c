import { Stopped } from './wire.ts';

/** Request headers that need no permission or that the browser sets, and response headers that a page may always read. Fetch Standard. */
const safeRequestHeader = /^(?:accept|accept-language|content-language|origin)$/;
const safeResponseHeader = /^(?:cache-control|content-(?:language|length|type)|expires|last-modified|pragma)$/;
const safeTypes = /^(?:application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)(?:;|$)/;

/** `fetch` as the script of a page at this origin has it: CORS decides what it may send, and what it sees. */
export function pageFetch(fetchFrom: typeof fetch, origin: string): typeof fetch {
  return async (input, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set('origin', origin);
    await preflight(fetchFrom, input, origin, init.method ?? 'GET', headers);
    const response = await fetchFrom(input, { ...init, headers });
    refuseUnless(allowsOrigin(response, origin), 'the response', input);
    const exposed = listed(response, 'access-control-expose-headers');
    const isVisible = (name: string): boolean => safeResponseHeader.test(name) || exposed.has(name) || exposed.has('*');
    const visible = [...response.headers].filter(([name]) => isVisible(name));
    // A status without a body must not get one.
    const text = await response.text();
    return new Response(text === '' ? null : text, { status: response.status, headers: visible });
  };
}

async function preflight(
  fetchFrom: typeof fetch,
  input: Parameters<typeof fetch>[0],
  origin: string,
  method: string,
  headers: Headers,
): Promise<void> {
  const asked = [...headers]
    .filter(([name, value]) => !(name === 'content-type' ? safeTypes.test(value) : safeRequestHeader.test(name)))
    .map(([name]) => name);
  if (asked.length === 0) return;
  const response = await fetchFrom(input, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': asked.join(','),
    },
  });
  await response.arrayBuffer();
  const allowed = listed(response, 'access-control-allow-headers');
  const missing = asked.filter((name) => !allowed.has(name) && (name === 'authorization' || !allowed.has('*')));
  refuseUnless(response.ok && allowsOrigin(response, origin), 'the preflight', input);
  refuseUnless(missing.length === 0, `the header ${missing.join(', ')}`, input);
}

function allowsOrigin(response: Response, origin: string): boolean {
  return ['*', origin].includes(response.headers.get('access-control-allow-origin') ?? '');
}

function listed(response: Response, header: string): ReadonlySet<string> {
  const names = (response.headers.get(header) ?? '').split(',');
  return new Set(names.map((name) => name.trim().toLowerCase()));
}

function refuseUnless(allowed: boolean, what: string, input: Parameters<typeof fetch>[0]): void {
  const url = input instanceof Request ? input.url : String(input);
  if (!allowed) throw new Stopped(`CORS does not allow ${what} at ${url}`);
}
