import { readArguments } from './support/arguments.ts';
import { Comparison, printRounds } from './support/comparison.ts';

const usage = `npm run bench:telemetry -- [options]

What telemetry costs: discovery, the cheapest request that there is, and UserInfo with its token on Redis. Ratios count, not figures.
"without it, again" is the same as "without it": what its ratio is off 1, the machine's noise has done.

  --rounds 25    rounds of each contender, in turn
  --seconds 1    seconds of each round
  --help         this text`;

const given = readArguments(usage, {
  rounds: { type: 'string', default: '25' },
  seconds: { type: 'string', default: '1' },
});
const size = { rounds: Number(given.rounds), seconds: Number(given.seconds) };

const base = 'without it';
const names = [base, 'without it, again', 'no SDK', 'metrics, no trace sampled', 'metrics, every trace sampled'];

const targets: Readonly<Record<string, number>> = { 'no SDK': 0.97 };

const comparison = await Comparison.start('telemetry-server.ts', 'token-load.ts', names);
try {
  for (const kind of ['discovery', 'userinfo']) {
    const rounds = await comparison.rounds(names, size, async (name) => Object(await comparison.tell(name, { kind })));
    printRounds(
      kind,
      rounds,
      names.slice(1).map((name) => ({ name, base, target: targets[name] ?? 0 })),
    );
  }
} finally {
  await comparison.close();
}
