import { Agent, request } from 'node:http';

/** A form to post, or without one a page to get. */
export interface Shot {
  readonly path: string;
  readonly form?: Readonly<Record<string, string>>;
  readonly cookie?: string;
}

/** A response. */
export interface Hit {
  readonly status: number;
  readonly body: string;
  /** Where it redirects to. */
  readonly location?: string | undefined;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Sends one request many times at once to a local port, with the Host header of an origin. */
export function fire(port: number, origin: string, shot: Shot, count: number): Promise<Hit[]> {
  return Promise.all(Array.from({ length: count }, () => send(port, new URL(shot.path, origin), shot)));
}

function send(port: number, url: URL, { form, cookie }: Shot): Promise<Hit> {
  const body = form && new URLSearchParams(form).toString();
  const headers = {
    host: url.host,
    accept: cookie === undefined ? '*/*' : 'text/html',
    ...(cookie !== undefined && { cookie }),
    ...(body !== undefined && {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': Buffer.byteLength(body),
    }),
  };
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const options = { agent, host: '127.0.0.1', port, path: url.pathname, method, headers };
    const sent = request(options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: text, location: response.headers.location }),
      );
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Closes all connections. */
export function ceaseFire(): void {
  agent.destroy();
}
