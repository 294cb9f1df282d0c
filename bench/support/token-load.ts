import autocannon from 'autocannon';
import type { LoadReport } from './comparison.ts';
import type { TokenOrder } from './token-requests.ts';

interface Order extends TokenOrder {
  readonly connections: number;
  readonly duration: number;
}

process.on('message', (order: Order) => void run(order));
process.on('disconnect', () => process.exit());

async function run({ url, method, headers, forms, hosts, amount, connections, duration }: Order): Promise<void> {
  const unused = [...forms];
  const unusedHosts = [...(hosts ?? [])];
  const isRepeated = forms.length === 1 || forms.length === 0;
  const { requests, latency, errors, timeouts, non2xx } = await autocannon({
    url,
    connections: amount === undefined ? connections : Math.min(connections, amount),
    ...(amount === undefined ? { duration } : { amount }),
    requests: [
      {
        method,
        headers,
        setupRequest: (request) => {
          if (isRepeated) return { ...request, ...(forms[0] !== undefined && { body: forms[0] }) };
          const body = unused.shift();
          if (body === undefined) throw new Error('the load has no code or token left');
          const host = unusedHosts.shift();
          return { ...request, body, ...(host !== undefined && { headers: { ...headers, host } }) };
        },
        onResponse: (status, body, _context) => {
          if (isRepeated || amount !== undefined || status !== 200) return;
          const { refresh_token: token } = JSON.parse(body);
          const form = new URLSearchParams(forms[0]);
          form.set('refresh_token', token);
          unused.push(form.toString());
        },
      },
    ],
  });
  process.send?.({
    rate: requests.average,
    total: requests.total,
    p50: latency.p50,
    p99: latency.p99,
    failed: errors + timeouts + non2xx,
  } satisfies LoadReport);
}
