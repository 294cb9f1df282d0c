import { Agent, get } from 'node:http';
import type { LoadReport } from './comparison.ts';

interface Order {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly amount: number;
}

process.on('message', (order: Order) => void run(order));
process.on('disconnect', () => process.exit());

const agents = new Map<string, Agent>();

/** A load without the second that autocannon takes at least. Of what it reports, only the failures count. */
async function run({ url, headers, connections, amount }: Order): Promise<void> {
  const agent = agents.get(url) ?? new Agent({ keepAlive: true, maxSockets: connections });
  agents.set(url, agent);
  let failed = 0;
  const requestOnce = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const request = get(url, { agent, headers }, (response) => {
        if (response.statusCode !== 200) failed += 1;
        response.resume().on('end', resolve);
      });
      request.on('error', reject);
    });
  const sequence = async (): Promise<void> => {
    for (let sent = 0; sent < amount / connections; sent += 1) await requestOnce();
  };
  await Promise.all(Array.from({ length: connections }, sequence));
  const total = Math.ceil(amount / connections) * connections;
  process.send?.({ rate: 0, total, p50: 0, p99: 0, failed } satisfies LoadReport);
}
