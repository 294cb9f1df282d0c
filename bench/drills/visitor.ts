import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { csrfOf } from '../../__tests__/helpers/browser.ts';
import { authorizeUrl, type Code, pkce, type TestClient } from '../../__tests__/helpers/flow.ts';

/** One request to a school. */
export interface Ask {
  readonly path: string;
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly token?: string | undefined;
  readonly cookie?: string;
  /** The address of the caller, for a server behind a proxy. */
  readonly address?: string;
}

/** The response; status 0 if there was none within ten seconds. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends requests for one origin to any of several processes. */
export type Send = (ask: Ask) => Promise<Answer>;

const agent = new Agent({ keepAlive: true, maxSockets: 512 });
const patience = 10_000;

export function post(port: number, origin: string, { path, form, json, token, cookie, address }: Ask): Promise<Answer> {
  const body = form ? new URLSearchParams(form).toString() : json === undefined ? '' : JSON.stringify(json);
  const headers = {
    host: new URL(origin).host,
    accept: 'application/json, text/event-stream, text/html',
    ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
    ...(json !== undefined && { 'content-type': 'application/json' }),
    ...(body !== '' && { 'content-length': Buffer.byteLength(body) }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(cookie !== undefined && { cookie }),
    ...(address !== undefined && { 'x-forwarded-for': address }),
  };
  return new Promise((resolve) => {
    const none = (): void => resolve({ status: 0, headers: {}, text: '' });
    const method = body === '' ? 'GET' : 'POST';
    const sent = request({ agent, host: '127.0.0.1', port, path, method, headers, timeout: patience }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      response.on('error', none);
    });
    sent.on('timeout', () => sent.destroy());
    sent.on('error', none);
    sent.end(body);
  });
}

export function closeConnections(): void {
  agent.destroy();
}

/** What a browser of a person got: a code, or a response that is in its way. */
export type SignIn = { readonly code: Code } | { readonly stopped: Answer };

/** A browser of a person. */
export class Visitor {
  readonly #send: Send;
  readonly #origin: string;
  readonly #cookies = new Map<string, string>();

  readonly #person: string;

  /** `signedIn`: at the platform, from the beginning; otherwise once it is sent to the sign-in page. */
  constructor(send: Send, origin: string, person: string, signedIn = true) {
    this.#send = send;
    this.#origin = origin;
    this.#person = person;
    if (signedIn) this.#cookies.set('person', person);
  }

  /** Goes through authorization, and allows if it is asked. */
  async signIn(client: TestClient): Promise<SignIn> {
    const pair = pkce();
    const start = authorizeUrl(this.#origin, client, pair);
    let path = start.pathname + start.search;
    let form: Ask['form'];
    for (let hops = 0; hops < 12; hops += 1) {
      const answer = await this.#ask({ path, ...(form && { form }) });
      form = undefined;
      const { location } = answer.headers;
      if (location !== undefined) {
        const next = new URL(location, new URL(path, this.#origin));
        const code = next.searchParams.get('code');
        if (code !== null) return { code: { origin: this.#origin, client, code, verifier: pair.verifier } };
        if (next.origin !== this.#origin) return { stopped: answer };
        if (next.pathname === '/sign-in') this.#cookies.set('person', this.#person);
        path = next.searchParams.get('return_to') ?? next.pathname + next.search;
      } else if (answer.status === 200 && answer.text.includes('value="allow"')) {
        form = { csrf: csrfOf(answer.text), decision: 'allow' };
      } else return { stopped: answer };
    }
    throw new Error(`too many redirects, last ${path}`);
  }

  async #ask(ask: Ask): Promise<Answer> {
    const cookie = [...this.#cookies].map((pair) => pair.join('=')).join('; ');
    const answer = await this.#send({ ...ask, cookie });
    for (const set of answer.headers['set-cookie'] ?? []) {
      const [pair = ''] = set.split(';');
      const at = pair.indexOf('=');
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return answer;
  }
}
