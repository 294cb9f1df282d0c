import { readArguments, readSize, sizeOptions } from './support/arguments.ts';
import { Comparison, printRounds, type Target } from './support/comparison.ts';
import { type Kind, kinds, type TokenOrder } from './support/token-requests.ts';

const usage = `npm run bench:token -- [options]

Compares code exchange, refresh, UserInfo, introspection and discovery with the bare engine, on its memory adapter and on an
ordinary Redis or SQL adapter, and discovery with JSON from bare Koa. Ratios count, not figures. At "refresh, openid" the bare engine
signs an ID token, and we do not; "refresh" is the fair row. "refresh, schools": at 10,000 schools in turn, and at one.

  --rounds 5        rounds of each contender, in turn
  --seconds 3       seconds of each round
  --on PostgreSQL   contenders whose name contains this
  --only refresh    operations whose name contains this
  --help            this text`;

const given = readArguments(usage, {
  ...sizeOptions('5', '3'),
  on: { type: 'string', default: '' },
  only: { type: 'string', default: '' },
});
const size = readSize(given);
/** Codes for each round, and connections that are refreshed once. */
const counts: Readonly<Partial<Record<Kind, number>>> = { exchange: 1000, 'refresh, schools': 5000 };

const schools = ['one school', '10,000 schools'];
const stores = [
  'stock, memory',
  'stock, Redis',
  'stock, PostgreSQL',
  'ours, memory',
  'ours, Redis',
  'ours, PostgreSQL',
  'ours, SQLite',
];
const all = [...stores, 'bare Koa', ...schools];
const names = all.filter((name) => given.on === '' || name.includes(given.on));
const targets: Readonly<Record<Kind, readonly Target[]>> = {
  exchange: [],
  refresh: [
    { name: 'ours, Redis', base: 'stock, Redis', target: 1 },
    { name: 'ours, PostgreSQL', base: 'stock, PostgreSQL', target: 1.5 },
    { name: 'ours, memory', base: 'stock, memory', target: 0.8 },
  ],
  'refresh, openid': [],
  'refresh, schools': [{ name: '10,000 schools', base: 'one school', target: 1.3, floor: 1, atMost: true }],
  userinfo: [{ name: 'ours, Redis', base: 'stock, memory', target: 2.2 }],
  introspection: [{ name: 'ours, Redis', base: 'stock, Redis', target: 1 }],
  discovery: [{ name: 'ours, Redis', base: 'bare Koa', target: 0.7, floor: 1 }],
};

/** The engine's memory adapter forgets all but the last 1,000 records, so it cannot keep the codes of a round. */
function takesPart(name: string, kind: Kind): boolean {
  if (schools.includes(name) || kind === 'refresh, schools')
    return schools.includes(name) && kind === 'refresh, schools';
  if (name === 'bare Koa') return kind === 'discovery';
  return kind !== 'exchange' || !name.endsWith('memory');
}

const comparison = await Comparison.start('token-server.ts', 'token-load.ts', names);
try {
  for (const kind of kinds) {
    if (!kind.includes(given.only)) continue;
    const taking = names.filter((name) => takesPart(name, kind));
    if (taking.length === 0) continue;
    const rounds = await comparison.rounds(taking, size, async (name): Promise<TokenOrder> => {
      return Object(await comparison.tell(name, { kind, count: counts[kind] ?? 0 }));
    });
    printRounds(
      kind,
      rounds,
      targets[kind].filter(({ name, base }) => taking.includes(name) && taking.includes(base)),
    );
  }
} finally {
  await comparison.close();
}
