import { Agent, request } from 'node:http';
import type { LoadReport } from './comparison.ts';

interface Order {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** One for each connection, or none. A response with a refresh token makes the next one. */
  readonly forms: readonly string[];
  readonly connections: number;
  readonly amount: number;
}

process.on('message', (order: Order) => void run(order));
process.on('disconnect', () => process.exit());

const agents = new Map<string, Agent>();
/** What each connection of a service sends next: refresh tokens are used once. */
const nextForms = new Map<string, string[]>();

/** A load without the second that autocannon takes at least. Of what it reports, only the failures count. */
async function run({ url, method, headers, forms, connections, amount }: Order): Promise<void> {
  const agent = agents.get(url) ?? new Agent({ keepAlive: true, maxSockets: connections });
  agents.set(url, agent);
  const key = `${url} ${forms[0] ?? ''}`;
  const bodies = nextForms.get(key) ?? [...forms];
  nextForms.set(key, bodies);
  let failed = 0;
  const requestOnce = (body: string | undefined): Promise<string> =>
    new Promise((resolve, reject) => {
      const sent = request(url, { method, agent, headers }, (response) => {
        if (response.statusCode !== 200) failed += 1;
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
      const body = bodies[connection];
      const text = await requestOnce(body);
      if (body !== undefined) bodies[connection] = nextForm(body, text);
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
