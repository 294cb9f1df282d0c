import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const canPin = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0;

/** Starts a script of ours on one core, where the system lets us choose it. */
export function startOnCore(core: number, script: string, args: readonly string[]): ChildProcess {
  const command = [process.execPath, new URL(script, import.meta.url).pathname, ...args];
  const [app = '', ...rest] = canPin ? ['taskset', '-c', String(core), ...command] : command;
  return spawn(app, rest, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}

/** The next message of a process; an error when it ends instead. */
export async function messageOf(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController();
  const gone = once(child, 'exit', { signal: ended.signal }).then(() => {
    throw new Error('a process of the benchmark ended early');
  });
  try {
    const [message]: unknown[] = await Promise.race([once(child, 'message', { signal: ended.signal }), gone]);
    return message;
  } finally {
    ended.abort();
    gone.catch(() => {});
  }
}

/** Microseconds of the processor that a process and its children have had, by process, on Linux. */
export function processorTimes(pid: number): ReadonlyMap<number, number> {
  try {
    const own = Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1000;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').map(Number);
    return new Map([
      [pid, own],
      ...children.filter((child) => child > 0).flatMap((child) => [...processorTimes(child)]),
    ]);
  } catch {
    // It has ended, or the system does not tell.
    return new Map();
  }
}

/** Ends processes of ours, and waits until they have. */
export async function end(children: Iterable<ChildProcess>): Promise<void> {
  const running = [...children].filter((child) => child.connected);
  const ended = running.map((child) => once(child, 'exit'));
  for (const child of running) child.disconnect();
  await Promise.all(ended);
}
