import autocannon from 'autocannon';
import { message } from '../../__tests__/mcp/rpc.ts';
import { type Flood, measureDiscovery } from './flood.ts';

/** What the parent sends: where to, as whom, what, how many at once and for how many seconds. */
interface Order {
  readonly url: string;
  readonly token?: string;
  readonly method: 'tools/list' | 'tools/call';
  readonly connections: number;
  readonly duration: number;
  /** Discovery is measured in this flood of messages, in place of a method. */
  readonly flood?: Flood;
}

process.on('message', (order: Order) => void run(order));
process.on('disconnect', () => process.exit());

async function run({ url, token, method, connections, duration, flood }: Order): Promise<void> {
  if (flood !== undefined) return void process.send?.(await measureDiscovery(url, flood, duration));
  const params = method === 'tools/call' ? { name: 'echo', arguments: { text: 'hello' } } : {};
  const sent = message('2025-11-25', method, params);
  const headers = { ...sent.headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  const body = JSON.stringify(sent.body);
  const probe = await (await fetch(url, { method: 'POST', headers, body })).text();
  if (!probe.includes(method === 'tools/call' ? 'hello' : 'echo')) throw new Error(probe);
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
