import { readArguments, readSize, sizeOptions } from './support/arguments.ts';
import { Comparison, printRounds, type Target } from './support/comparison.ts';
import { type Kind, kinds, type TokenOrder } from './support/token-requests.ts';

const usage = `npm run bench:token -- [options]

Compares UserInfo and a refresh with the bare engine, in processor time of the server, and discovery with JSON from bare Koa. Ratios
count, not figures. At "refresh, openid" the bare engine signs an ID token, and we do not. "refresh, schools": at 10,000 schools in
turn, and at one. \`npm run bench:engine\` has what is stored in processor time of server and database.

  --rounds 9        rounds of each contender, in turn
  --seconds 1       seconds of each round
  --on PostgreSQL   contenders whose name contains this
  --only refresh    operations whose name contains this
  --help            this text`;

const given = readArguments(usage, {
  ...sizeOptions('9', '1'),
  on: { type: 'string', default: '' },
  only: { type: 'string', default: '' },
});
const size = readSize(given);
/** Codes for each round, and connections that are refreshed once. */
const counts: Readonly<Partial<Record<Kind, number>>> = { 'refresh, schools': 5000 };

/** What takes part: what is compared, and nothing that only takes time. */
const contenders: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  'refresh, openid': ['stock, Redis', 'ours, Redis'],
  'refresh, schools': ['one school', '10,000 schools'],
  userinfo: ['stock, memory', 'ours, Redis'],
  discovery: ['bare Koa', 'ours, Redis'],
};
const asked = kinds.filter((kind) => kind.includes(given.only));
const takingPart = (kind: Kind): string[] => (contenders[kind] ?? []).filter((name) => name.includes(given.on));
const targets: Readonly<Partial<Record<Kind, readonly Target[]>>> = {
  'refresh, openid': [],
  'refresh, schools': [{ name: '10,000 schools', base: 'one school', target: 1.3, floor: 1, atMost: true }],
  userinfo: [{ name: 'ours, Redis', base: 'stock, memory', target: 2.2 }],
  discovery: [{ name: 'ours, Redis', base: 'bare Koa', target: 0.7, floor: 1 }],
};

const comparison = await Comparison.start('token-server.ts', 'token-load.ts', [...new Set(asked.flatMap(takingPart))]);
try {
  for (const kind of asked) {
    const taking = takingPart(kind);
    if (taking.length === 0) continue;
    const rounds = await comparison.rounds(taking, size, async (name): Promise<TokenOrder> => {
      return Object(await comparison.tell(name, { kind, count: counts[kind] ?? 0 }));
    });
    printRounds(
      kind,
      rounds,
      (targets[kind] ?? []).filter(({ name, base }) => taking.includes(name) && taking.includes(base)),
    );
  }
} finally {
  await comparison.close();
}
