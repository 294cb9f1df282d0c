import { numbersOf, readArguments } from './support/arguments.ts';
import { Comparison, type Measured } from './support/comparison.ts';
import type { TokenOrder } from './support/token-requests.ts';

const usage = `npm run bench:telemetry -- [options]

What telemetry costs in processor time: discovery, the cheapest request that there is, and UserInfo with its token on Redis. A
process has the same service with it, without it, and without it again, which take short turns, so that other apps on the
machine slow down each of them alike. "without it, again" shows the noise that is left.

  --rounds 100     turns of each
  --requests 300   requests of each turn
  --only 'no SDK'  SDKs whose name contains this
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
/** Percent, without an SDK. */
const limit = 3;

const processes = ['no SDK', 'metrics, no trace sampled', 'metrics, every trace sampled'].filter((name) =>
  name.includes(given.only),
);
const comparison = await Comparison.start('telemetry-server.ts', 'short-load.ts', processes);

async function turn(name: string, message: object): Promise<Measured> {
  const order: TokenOrder = Object(await comparison.tell(name, message));
  return comparison.measure(name, { ...order, connections: 10, amount });
}

try {
  for (const kind of ['discovery', 'userinfo']) {
    for (const name of processes) {
      const seen = new Map([base, ...others].map((service): [string, Measured[]] => [service, []]));
      for (const service of seen.keys()) await turn(name, { kind, service });
      for (let round = 0; round < rounds; round += 1) {
        // Whoever comes first after a pause pays for it.
        const order = [...seen, ...seen].slice(round % seen.size, (round % seen.size) + seen.size);
        for (const [service, all] of order) all.push(await turn(name, { kind, service }));
      }
      print(`${kind}, ${name}`, seen);
    }
  }
} finally {
  await comparison.close();
}

function print(title: string, seen: ReadonlyMap<string, readonly Measured[]>): void {
  const bases = (seen.get(base) ?? []).map(({ cpu }) => cpu);
  console.log(`\n${title}: ${quantile(bases, 0.5).toFixed(0)} µs without it`);
  for (const service of others) {
    const costs = (seen.get(service) ?? []).map(({ cpu }, i) => (cpu / (bases[i] ?? Number.NaN) - 1) * 100);
    const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => quantile(costs, share).toFixed(1));
    const isJudged = service === 'with it' && title.endsWith('no SDK');
    const verdict = isJudged ? `, limit ${limit} %: ${Number(middle) < limit ? 'met' : 'missed'}` : '';
    console.log(`${service}: ${middle} % more (half of the rounds ${low} to ${high})${verdict}`);
  }
  if ([...seen.values()].flat().some(({ failed }) => failed > 0)) process.exitCode = 1;
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}
