import { type ChildProcess, spawn } from 'node:child_process';
import { versionInfo } from 'graphql';

const folder = '__tests__/member-api/executor';

/** Starts a program of this folder in a process of its own, with the graphql of the tests. */
export function startProgram(file: string): ChildProcess {
  const hook = versionInfo.major === 16 ? ['--import', `./${folder}/graphql-16.ts`] : [];
  return spawn(process.execPath, [...hook, `${folder}/${file}`], {
    cwd: new URL('../../..', import.meta.url),
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
}
