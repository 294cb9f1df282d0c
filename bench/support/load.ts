import autocannon from 'autocannon';
import { query } from './member-data.ts';

/** What the parent sends: where to, as whom, how many at once and for how many seconds. */
interface Order {
  readonly url: string;
  readonly token: string;
  readonly connections: number;
  readonly duration: number;
}

process.on('message', (order: Order) => void run(order));
process.on('disconnect', () => process.exit());

async function run({ url, token, connections, duration }: Order): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json' };
  const body = JSON.stringify({ query });
  const { requests, latency, errors, timeouts, non2xx } = await autocannon({
    url,
    method: 'POST',
    connections,
    duration,
    headers,
    body,
  });
  const failed = errors + timeouts + non2xx;
  process.send?.({ rate: requests.average, total: requests.total, p50: latency.p50, p99: latency.p99, failed });
}
