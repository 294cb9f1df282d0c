import { numbersOf, readArguments } from './support/arguments.ts';
import { Comparison } from './support/comparison.ts';
import { printTurns, takeTurns } from './support/turns.ts';

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

/** Percent, without an SDK. */
const limit = 3;

const processes = ['no SDK', 'metrics, no trace sampled', 'metrics, every trace sampled'].filter((name) =>
  name.includes(given.only),
);
const comparison = await Comparison.start('telemetry-server.ts', 'short-load.ts', processes);
try {
  for (const kind of ['discovery', 'userinfo']) {
    for (const name of processes) {
      const turns = await takeTurns(comparison, { process: name, kind, rounds, amount });
      const judged = name === 'no SDK' ? limit : undefined;
      printTurns(turns, { title: `${kind}, ${name}`, costOf: ({ cpu }) => cpu, limit: judged });
    }
  }
} finally {
  await comparison.close();
}
