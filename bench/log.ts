import { numbersOf, readArguments } from './support/arguments.ts';
import { Comparison, type Measured } from './support/comparison.ts';
import type { TokenOrder } from './support/token-requests.ts';

const usage = `npm run bench:log -- [options]

What the stored log costs in processor time of the process and of Redis: a refresh, of which nothing is stored, and a call of a
tool that does nothing, which is an event each. A process for each store has the same service with the log, without it, and
without it again, which take short turns. "without it, again" shows the noise that is left.

  --rounds 100     turns of each
  --requests 300   requests of each turn
  --only Redis     stores whose name contains this
  --help           this text`;

const given = readArguments(usage, {
  rounds: { type: 'string', default: '100' },
  requests: { type: 'string', default: '300' },
  only: { type: 'string', default: '' },
});
const [rounds = 1] = numbersOf(given.rounds);
const [amount = 1] = numbersOf(given.requests);

const base = 'without it';
const others = ['without it, again', 'with it'];
/** Percent. */
const limit = 5;

const stores = ['Redis', 'PostgreSQL'].filter((name) => name.includes(given.only));
const comparison = await Comparison.start('log-server.ts', 'short-load.ts', stores);

async function turn(store: string, message: object): Promise<Measured> {
  const order: TokenOrder = Object(await comparison.tell(store, message));
  return comparison.measure(store, { ...order, connections: 10, amount });
}

try {
  for (const store of stores) {
    for (const kind of ['refresh', 'tool call']) {
      const seen = new Map([base, ...others].map((service): [string, Measured[]] => [service, []]));
      for (let i = 0; i < 10; i += 1) for (const service of seen.keys()) await turn(store, { kind, service });
      for (let round = 0; round < rounds; round += 1) {
        // Whoever comes first after a pause pays for it.
        const order = [...seen, ...seen].slice(round % seen.size, (round % seen.size) + seen.size);
        for (const [service, all] of order) all.push(await turn(store, { kind, service }));
      }
      print(`${kind}, ${store}`, seen);
    }
  }
} finally {
  await comparison.close();
}

function print(title: string, seen: ReadonlyMap<string, readonly Measured[]>): void {
  const costOf = ({ cpu, redisCpu }: Measured): number => cpu + redisCpu;
  const bases = (seen.get(base) ?? []).map(costOf);
  console.log(`\n${title}: ${quantile(bases, 0.5).toFixed(0)} µs without it`);
  for (const service of others) {
    const costs = (seen.get(service) ?? []).map((each, i) => (costOf(each) / (bases[i] ?? Number.NaN) - 1) * 100);
    const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => quantile(costs, share).toFixed(1));
    const verdict = service === 'with it' ? `, limit ${limit} %: ${Number(middle) < limit ? 'met' : 'missed'}` : '';
    console.log(`${service}: ${middle} % more (half of the rounds ${low} to ${high})${verdict}`);
  }
  const failed = [...seen.values()].flat().reduce((sum, each) => sum + each.failed, 0);
  if (failed > 0) {
    process.exitCode = 1;
    console.log(`${failed} requests failed`);
  }
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}
