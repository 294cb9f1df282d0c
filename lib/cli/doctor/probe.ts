import { type JsonMembers, parseObject } from '../../kernel/json.ts';

const maxBytes = 2_000_000;
const maxMilliseconds = 10_000;

/** A response, read whole within bounds. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Empty if the body is not a JSON object. */
  readonly json: JsonMembers;
}

/** Sends one request, with bounded time and size; a redirect is an answer, and not followed. */
export type Probe = (path: string, init?: RequestInit) => Promise<Answer>;

export class Unreachable extends Error {
  override readonly name = 'Unreachable';
  readonly fix: string;

  constructor(message: string, fix = 'check the name, the port, the certificate and the firewall') {
    super(message);
    this.fix = fix;
  }
}

/** Requests to an origin, with the time that each took until its headers came. */
export function createProbe(origin: string, times: number[]): Probe {
  const fetchBounded = boundedFetch(origin, times);
  return async (path, init) => {
    const url = URL.parse(path, origin)?.href ?? path;
    const response = await fetchBounded(url, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: parseObject(text) };
  };
}

/** A `fetch` whose responses are complete and not too long. It asks no other host, whatever the documents of this one say. */
export function boundedFetch(origin: string, times: number[]): typeof fetch {
  return async (url, init) => {
    const address = String(url instanceof Request ? url.url : url);
    if (URL.parse(address)?.origin !== origin) {
      throw new Unreachable(
        `${address} is not at ${origin}, so it was not requested`,
        'fix this address first: see above',
      );
    }
    const start = performance.now();
    try {
      const signal = AbortSignal.timeout(maxMilliseconds);
      const response = await fetch(url, { redirect: 'manual', ...init, signal });
      times.push(performance.now() - start);
      const body = await readBounded(response);
      const empty = [101, 204, 205, 304].includes(response.status);
      const { status, headers } = response;
      return new Response(empty ? null : new Uint8Array(body), { status, headers });
    } catch (error) {
      throw new Unreachable(reasonOf(error), isUnknownBelowLocalhost(origin, error) ? nameIt(origin) : undefined);
    }
  };
}

async function readBounded({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`the response is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Browsers and curl find names below `localhost` themselves. Node asks the system, which on many machines does not know them. */
function isUnknownBelowLocalhost(origin: string, error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  const isUnknown = cause instanceof Error && 'code' in cause && cause.code === 'ENOTFOUND';
  return isUnknown && new URL(origin).hostname.endsWith('.localhost');
}

function nameIt(origin: string): string {
  return `browsers find this name, but apps do not: add "127.0.0.1 ${new URL(origin).hostname}" to the hosts file of this system`;
}

/** `fetch` puts the reason of a failure into the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no response within ${maxMilliseconds / 1000} seconds`;
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const code = 'code' in cause ? ` (${String(cause.code)})` : '';
  return `${cause.message || error.message}${code}`;
}
