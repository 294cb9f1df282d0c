#!/usr/bin/env node
import { terminalOn } from './output.ts';
import { runCommandLine } from './run.ts';

const { stdin: input, stdout, stderr } = process;
for (const stream of [stdout, stderr]) {
  // A reader such as `head` may stop. The exit code is still that of the whole command.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
process.exitCode = await runCommandLine(process.argv.slice(2), terminalOn({ input, out: stdout, err: stderr }));
// A connection that the campus keeps open must not keep the command running; standard output is written first.
stdout.write('', () => process.exit());
