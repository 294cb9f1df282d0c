import { moduleOf } from './releases.ts';

// `campus-oidc` of the next release, by a clock that is so many seconds ahead.
const [ahead, ...args] = process.argv.slice(2);
const realNow = Date.now;
Date.now = () => realNow() + Number(ahead) * 1000;
const { runCommandLine }: typeof import('../../lib/cli/run.ts') = await import(moduleOf('next', 'lib/cli/run.ts'));
const { terminalOn }: typeof import('../../lib/cli/output.ts') = await import(moduleOf('next', 'lib/cli/output.ts'));
process.exitCode = await runCommandLine(
  args,
  terminalOn(process.stdout, process.stderr, (_colour, name) => name),
);
process.stdout.write('', () => process.exit());
