import { numbersOf, readArguments } from './support/arguments.ts';
import { Comparison } from './support/comparison.ts';
import { printTurns, takeTurns } from './support/turns.ts';

const usage = `npm run bench:log -- [options]

What the stored log costs in processor time of the process and of the database: a refresh, of which nothing is stored, and a call of a
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

/** Percent. */
const limit = 5;

const stores = ['Redis', 'PostgreSQL'].filter((name) => name.includes(given.only));
const comparison = await Comparison.start('log-server.ts', 'short-load.ts', stores);
try {
  for (const store of stores) {
    for (const kind of ['refresh', 'tool call']) {
      const turns = await takeTurns(comparison, { process: store, kind, rounds, amount });
      printTurns(turns, { title: `${kind}, ${store}`, costOf: ({ cpu, databaseCpu }) => cpu + databaseCpu, limit });
    }
  }
} finally {
  await comparison.close();
}
