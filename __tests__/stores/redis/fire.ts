import { Agent, request } from 'node:http';

/** A form to post. */
export interface Shot {
  readonly path: string;
  readonly form: Readonly<Record<string, string>>;
}

/** A response. */
export interface Hit {
  readonly status: number;
  readonly body: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Posts one form many times at once to a local port, with the Host header of an origin. */
export function fire(port: number, origin: string, { path, form }: Shot, count: number): Promise<Hit[]> {
  const body = new URLSearchParams(form).toString();
  return Promise.all(Array.from({ length: count }, () => post(port, new URL(path, origin), body)));
}

function post(port: number, url: URL, body: string): Promise<Hit> {
  const headers = {
    host: url.host,
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const options = { agent, host: '127.0.0.1', port, path: url.pathname, method: 'POST', headers };
    const sent = request(options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
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
