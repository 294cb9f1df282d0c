import { Agent, request } from 'node:http';
import type { LoadReport } from './comparison.ts';

interface Order {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** One for each request; or one for each connection or for all, of which a response with a refresh token makes the next; or none. */
  readonly forms: readonly string[];
  /** One for each request. @default none */
  readonly cookies?: readonly string[];
  readonly connections: number;
  readonly amount: number;
}

process.on('message', (order: Order) => void run(order));
process.on('disconnect', () => process.exit());

const agents = new Map<string, Agent>();
/** What each connection of a service sends next: refresh tokens are used once. */
const nextForms = new Map<string, string[]>();

/** A load without the second that autocannon takes at least. Of what it reports, only the failures count. */
async function run({ url, method, headers, forms, cookies = [], connections, amount }: Order): Promise<void> {
  const agent = agents.get(url) ?? new Agent({ keepAlive: true, maxSockets: connections });
  agents.set(url, agent);
  const key = `${url} ${forms[0] ?? ''}`;
  const bodies = nextForms.get(key) ?? [...forms];
  nextForms.set(key, bodies);
  let failed = 0;
  const unsent = [...forms];
  const unsentCookies = [...cookies];
  const requestOnce = (body: string | undefined): Promise<string> =>
    new Promise((resolve, reject) => {
      const cookie = unsentCookies.shift();
      const all = cookie === undefined ? headers : { ...headers, cookie };
      const sent = request(url, { method, agent, headers: all }, (response) => {
        const isCode = new URLSearchParams(response.headers.location?.split('?')[1]).has('code');
        if (response.statusCode !== 200 && !isCode) failed += 1;
        let text = '';
        response
          .setEncoding('utf8')
          .on('data', (part: string) => (text += part))
          .on('end', () => resolve(text));
      });
      sent.on('error', reject);
      sent.end(body);
    });
  const sequence = async (_: unknown, connection: number): Promise<void> => {
    for (let sent = 0; sent < amount / connections; sent += 1) {
      const isOnce = forms.length >= amount;
      const body = isOnce ? unsent.shift() : bodies[connection % bodies.length];
      const text = await requestOnce(body);
      if (body !== undefined && !isOnce) bodies[connection] = nextForm(body, text);
    }
  };
  await Promise.all(Array.from({ length: connections }, sequence));
  const total = Math.ceil(amount / connections) * connections;
  process.send?.({ rate: 0, total, p50: 0, p99: 0, failed } satisfies LoadReport);
}

function nextForm(form: string, response: string): string {
  if (!response.includes('"refresh_token"')) return form;
  const { refresh_token: token = '' } = { ...JSON.parse(response) };
  const fields = new URLSearchParams(form);
  fields.set('refresh_token', token);
  return fields.toString();
}
