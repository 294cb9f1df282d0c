#!/usr/bin/env node
import { terminal } from './output.ts';
import { runCommandLine } from './run.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), terminal);
// What a campus keeps open must not keep the command running; standard output is written first.
process.stdout.write('', () => process.exit());
