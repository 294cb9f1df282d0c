import { readArguments, readSize, sizeOptions } from './support/arguments.ts';
import { Comparison, type Measured, printRounds, type Target } from './support/comparison.ts';
import { type Flood, floodNames } from './support/flood.ts';

const usage = `npm run bench:mcp -- [options]

Sends the same messages of revision 2025-11-25 to the tool endpoint, with its token on Redis, and to the official SDK's server with the
same tool, which looks at no token, no origin and no limit. Ratios count, not figures. Then how long discovery takes while messages
without a token flood the endpoint, with quotas that refuse none of them.

  --rounds 5     rounds of each contender, in turn
  --seconds 3    seconds of each round
  --help         this text`;

const given = readArguments(usage, {
  ...sizeOptions('5', '3'),
});
const size = readSize(given);

const base = 'bare SDK';
const names = [base, 'bare SDK, version 1', 'ours, anonymous', 'ours, token', 'ours, token, memory'];
const targets: Readonly<Record<string, readonly Target[]>> = {
  'tools/list': [{ name: 'ours, token', base, target: 4 }],
  'tools/call': [{ name: 'ours, token', base, target: 1.8 }],
};

/** Milliseconds, the median of discovery in a flood. */
const limit = 100;

const comparison = await Comparison.start('mcp-server.ts', 'mcp-load.ts', names);
try {
  for (const [method, reached] of Object.entries(targets)) {
    printRounds(method, await comparison.rounds(names, size, () => ({ method })), reached);
  }
  for (const flood of floodNames) await printFlood(flood);
} finally {
  await comparison.close();
}

async function printFlood(flood: Flood): Promise<void> {
  const measure = (during: Flood): Promise<Measured> =>
    comparison.measure('ours, anonymous', { flood: during, duration: size.seconds });
  await measure(flood);
  const [idle, flooded]: [Measured[], Measured[]] = [[], []];
  for (let round = 0; round < size.rounds; round += 1) {
    idle.push(await measure('none'));
    flooded.push(await measure(flood));
  }
  const sorted = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);
  const middle = (rounds: readonly Measured[]): number =>
    sorted(rounds.map(({ p50 }) => p50))[rounds.length >> 1] ?? NaN;
  const ratios = sorted(flooded.map(({ p50 }, round) => p50 / (idle[round]?.p50 ?? NaN)));
  const [ratio = NaN, lowest = NaN, highest = NaN] = [ratios[ratios.length >> 1], ratios[0], ratios.at(-1)];
  console.log(
    `\ndiscovery in a flood of 30 messages a second (${flood}): ${middle(flooded).toFixed(2)} ms, without ${middle(idle).toFixed(2)}`,
  );
  console.log(
    `ratio of the medians ${ratio.toFixed(2)} (${lowest.toFixed(2)}-${highest.toFixed(2)}), limit ${limit} ms: ${middle(flooded) < limit ? 'met' : 'missed'}`,
  );
  if ([...idle, ...flooded].some(({ failed }) => failed > 0)) process.exitCode = 1;
}
