import { readArguments, readSize, sizeOptions } from './support/arguments.ts';
import { Comparison, printRounds, type Target } from './support/comparison.ts';

const usage = `npm run bench:member -- [options]

Asks the same query of the Member API, with its token on Redis, and of Yoga with the same schema and data and no token. Ratios
count, not figures. "In turns": requests of one turn of the event loop begin together, as after a round trip to Redis.

  --rounds 5     rounds of each contender, in turn
  --seconds 4    seconds of each round
  --help         this text`;

const given = readArguments(usage, {
  ...sizeOptions('5', '4'),
});
const size = readSize(given);

const names = ['bare Yoga', 'bare Yoga, in turns', 'Yoga and one Redis GET', 'ours', 'ours, no auto-pipelining'];
const targets: readonly Target[] = [
  { name: 'ours', base: 'bare Yoga', target: 3.6, floor: 7 },
  { name: 'ours', base: 'Yoga and one Redis GET', target: 1.9, floor: 4 },
];

const comparison = await Comparison.start('member-server.ts', 'load.ts', names);
try {
  printRounds('Member API, 50 connections', await comparison.rounds(names, size), targets);
  const crowd = await comparison.measure('ours', { connections: 500, duration: size.seconds });
  printRounds('500 connections', new Map([['ours', [crowd]]]), []);
} finally {
  await comparison.close();
}
