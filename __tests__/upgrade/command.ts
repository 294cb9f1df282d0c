import { moduleOf } from './releases.ts';

// `campus-oidc` of a release, by a clock that is so many seconds ahead.
const [named, ahead, ...args] = process.argv.slice(2);
const release = named === 'next' ? named : 'this';
const realNow = Date.now;
Date.now = () => realNow() + Number(ahead) * 1000;
const { runCommandLine }: typeof import('../../lib/cli/run.ts') = await import(moduleOf(release, 'lib/cli/run.ts'));
const { terminalOn }: typeof import('../../lib/cli/output.ts') = await import(moduleOf(release, 'lib/cli/output.ts'));
process.exitCode = await runCommandLine(
  args,
  terminalOn(process.stdout, process.stderr, (_colour, name) => name),
);
process.stdout.write('', () => process.exit());
