import { numbersOf, readArguments } from './support/arguments.ts';
import { Comparison, type Measured } from './support/comparison.ts';
import type { Kind, TokenOrder } from './support/token-requests.ts';

const usage = `npm run bench:engine -- [options]

Compares a silent authorization, a code exchange, a refresh and an introspection (a resource server with its secret) with the bare
engine on an ordinary adapter, in processor time of the server and its database together, on Linux. The servers take short turns.
Above 1, ours costs less.

  --rounds 40        turns of each
  --requests 200     requests of each turn
  --on PostgreSQL    databases whose name contains this
  --only exchange    operations whose name contains this
  --help             this text`;

const given = readArguments(usage, {
  rounds: { type: 'string', default: '40' },
  requests: { type: 'string', default: '200' },
  on: { type: 'string', default: '' },
  only: { type: 'string', default: '' },
});
const [rounds = 1] = numbersOf(given.rounds);
const [amount = 1] = numbersOf(given.requests);

/** What is to be reached. */
const targets: readonly { readonly kind: Kind; readonly database: string; readonly target: number }[] = [
  { kind: 'authorization', database: 'Redis', target: 0.75 },
  { kind: 'authorization', database: 'PostgreSQL', target: 0.75 },
  { kind: 'exchange', database: 'Redis', target: 0.75 },
  { kind: 'exchange', database: 'PostgreSQL', target: 0.9 },
  { kind: 'refresh', database: 'Redis', target: 0.95 },
  { kind: 'refresh', database: 'PostgreSQL', target: 1.2 },
  { kind: 'introspection', database: 'Redis', target: 1.3 },
  { kind: 'introspection', database: 'PostgreSQL', target: 1.3 },
];

const connections = 10;
/** V8 compiles what has run often. */
const warmUp = 10;

const asked = targets.filter(({ kind, database }) => kind.includes(given.only) && database.includes(given.on));
const names = [...new Set(asked.flatMap(({ database }) => [`stock, ${database}`, `ours, ${database}`]))];
const comparison = await Comparison.start('token-server.ts', 'short-load.ts', names);
let isMissed = false;

async function turn(name: string, kind: Kind): Promise<Measured> {
  const order: TokenOrder = Object(await comparison.tell(name, { kind, count: amount }));
  return comparison.measure(name, { ...order, connections, amount });
}

const costOf = ({ cpu, databaseCpu }: Measured): number => cpu + databaseCpu;

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN;
}

/** What the least disturbed quarter of the turns has cost. */
function quiet(all: readonly Measured[], part: (measured: Measured) => number): number {
  const quarter = all.toSorted((a, b) => costOf(a) - costOf(b)).slice(0, Math.ceil(all.length / 4));
  return quarter.reduce((sum, each) => sum + part(each), 0) / quarter.length;
}

try {
  for (const { kind, database, target } of asked) {
    const [base, own] = [`stock, ${database}`, `ours, ${database}`];
    const seen = new Map<string, Measured[]>([
      [base, []],
      [own, []],
    ]);
    for (let i = 0; i < warmUp; i += 1) for (const name of seen.keys()) await turn(name, kind);
    for (let round = 0; round < rounds; round += 1) {
      const order = round % 2 === 0 ? [base, own] : [own, base];
      for (const name of order) seen.get(name)?.push(await turn(name, kind));
    }
    const [bases, owns] = [seen.get(base) ?? [], seen.get(own) ?? []];
    const ratios = bases.map((each, i) => costOf(each) / costOf(owns[i] ?? each));
    const ratio = quiet(bases, costOf) / quiet(owns, costOf);
    const spread = [0.5, 0.25, 0.75].map((share) => quantile(ratios, share).toFixed(2));
    const parts = [bases, owns].map(
      (all) => `${quiet(all, ({ cpu }) => cpu).toFixed(0)} + ${quiet(all, (each) => each.databaseCpu).toFixed(0)} µs`,
    );
    const verdict = ratio >= target ? 'met' : 'missed';
    console.log(
      `${kind}, ${database}: ${ratio.toFixed(2)} in the quietest quarter (${spread[0]}, half of the turns ${spread[1]} to ${spread[2]}), target ${target}: ${verdict}; engine ${parts[0]}, ours ${parts[1]}`,
    );
    const failed = [...bases, ...owns].reduce((sum, each) => sum + each.failed, 0);
    if (failed > 0) console.log(`${failed} requests failed`);
    isMissed ||= ratio < target || failed > 0;
  }
} finally {
  await comparison.close();
}
if (isMissed) process.exitCode = 1;
