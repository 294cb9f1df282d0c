import { readArguments, readSize, sizeOptions } from './support/arguments.ts';
import { Comparison, printRounds, type Target } from './support/comparison.ts';

const usage = `npm run bench:mcp -- [options]

Sends the same messages of revision 2025-11-25 to the tool endpoint, with its token on Redis, and to the official SDK's server with the
same tool, which looks at no token, no origin and no limit. Ratios count, not figures.

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

const comparison = await Comparison.start('mcp-server.ts', 'mcp-load.ts', names);
try {
  for (const [method, reached] of Object.entries(targets)) {
    printRounds(method, await comparison.rounds(names, size, () => ({ method })), reached);
  }
} finally {
  await comparison.close();
}
