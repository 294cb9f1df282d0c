import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const root = new URL('../..', import.meta.url);
const started: ChildProcess[] = [];

/** Starts an example as its user would, and returns the first address that it prints. */
export async function startExample(
  script: string,
  env: Record<string, string>,
  nodeOptions: readonly string[] = [],
): Promise<string> {
  const command = [...nodeOptions, script];
  const child = spawn(process.execPath, command, { cwd: root, env: { ...process.env, ...env }, stdio: 'pipe' });
  started.push(child);
  for await (const line of createInterface({ input: child.stdout })) {
    const origin = /http:\/\/localhost:\d+/.exec(line)?.[0];
    if (origin) return origin;
  }
  throw new Error(`${script} ended without printing an address`);
}

/** Ends all examples that were started. */
export async function stopExamples(): Promise<void> {
  const ending = started.splice(0).map(async (child) => {
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  await Promise.all(ending);
}
