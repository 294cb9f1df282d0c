import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { numbersOf, readArguments } from './support/arguments.ts';

const usage = `npm run bench:start -- [options]

What an import costs in a process of its own, beside that of oidc-provider in the same run: the ratio counts, not the figure.
Rounds alternate between the entry points, and the median of each is printed.

  --rounds 15       rounds of each entry point; 9 of each dependency
  --dependencies    instead: the size of each dependency and peer, and its fastest import
  --help            this text`;

const given = readArguments(usage, {
  rounds: { type: 'string' },
  dependencies: { type: 'boolean', default: false },
});
const [rounds = 1] = numbersOf(given.rounds ?? (given.dependencies ? '9' : '15'));
const base = 'oidc-provider';
/** Ratio to the base, for an entry point that loads neither GraphQL nor MCP. */
const target = 1.6;

interface Cost {
  /** Milliseconds. */
  readonly time: number;
  /** Bytes of the heap after a garbage collection. */
  readonly heap: number;
}

interface Manifest {
  readonly name: string;
  readonly exports: object;
  readonly dependencies: object;
  readonly peerDependencies: object;
}

const manifest: Manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const entries = Object.keys(manifest.exports)
  .filter((path) => path !== './package.json')
  .map((path) => `${manifest.name}${path.slice(1)}`);
// Types alone have nothing to import.
const dependencies = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).filter(
  (name) => !name.startsWith('@types/'),
);
const costs = new Map<string, Cost[]>(
  (given.dependencies ? dependencies : [base, ...entries]).map((name) => [name, []]),
);

const app = `
  globalThis.gc();
  const heap = process.memoryUsage().heapUsed;
  const start = performance.now();
  await import(process.argv[1]);
  const time = performance.now() - start;
  globalThis.gc();
  process.stdout.write(JSON.stringify({ time, heap: process.memoryUsage().heapUsed - heap }));
`;

for (let round = 0; round < rounds; round += 1) {
  for (const [name, seen] of costs) seen.push(measure(name));
}

if (given.dependencies) printDependencies();
else printEntries();

function printDependencies(): void {
  console.log(`Each dependency alone, the fastest import of ${rounds} rounds (Node ${process.version})\n`);
  console.log('package                          size MB import ms');
  for (const [name, seen] of costs) {
    const fastest = Math.min(...seen.map(({ time }) => time));
    const cells = [(sizeOf(name) / 1e6).toFixed(1), fastest.toFixed(0)];
    console.log(name.padEnd(32), cells.map((cell) => cell.padStart(8)).join(''));
  }
}

/** Bytes of the files of a package, without packages that are installed inside of it. */
function sizeOf(name: string): number {
  const folder = new URL(`../node_modules/${name}`, import.meta.url).pathname;
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && !file.parentPath.slice(folder.length).includes('node_modules'))
    .reduce((bytes, file) => bytes + statSync(join(file.parentPath, file.name)).size, 0);
}

function printEntries(): void {
  const { time: baseTime, heap: baseHeap } = medianOf(base);
  console.log(`Import of each entry point, median of ${rounds} rounds (Node ${process.version})\n`);
  console.log('entry point                      time ms   ratio   heap MB   ratio');
  for (const name of costs.keys()) {
    const { time, heap } = medianOf(name);
    const cells = [
      time.toFixed(1),
      (time / baseTime).toFixed(2),
      (heap / 2 ** 20).toFixed(1),
      (heap / baseHeap).toFixed(2),
    ];
    console.log(name.padEnd(32), cells.map((cell) => cell.padStart(8)).join(''));
  }
  const ratio = medianOf(manifest.name).time / baseTime;
  console.log(
    `\nTarget: import '${manifest.name}' at most ${target} times ${base}: ${ratio <= target ? 'met' : 'missed'}`,
  );
}

function measure(name: string): Cost {
  const args = ['--expose-gc', '--no-warnings', '--input-type=module', '-e', app, name];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

function medianOf(name: string): Cost {
  const seen = costs.get(name) ?? [];
  const middle = (of: (cost: Cost) => number): number => seen.map(of).sort((a, b) => a - b)[seen.length >> 1] ?? 0;
  return { time: middle(({ time }) => time), heap: middle(({ heap }) => heap) };
}
