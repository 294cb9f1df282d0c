import { signingKey } from '../../__tests__/helpers/keys.ts';
import type { ServerStart } from '../drills/server.ts';
import { Server } from '../drills/topology.ts';

/** Megabytes. */
const heap = 1024;

/** Starts a process that serves all numbered schools. */
export async function startServer(start: Omit<ServerStart, 'keys'>): Promise<Server> {
  const keys = { signing: [await signingKey('key-1')], cookies: ['a secret of the benchmark'] };
  const server = new Server({ ...start, keys }, heap);
  await server.start();
  return server;
}

/** What callers saw: milliseconds of each call, and how many failed. */
export interface Waits {
  readonly waits: readonly number[];
  readonly failures: readonly Error[];
}

/** Makes calls, some at a time; each caller waits for its reply. */
export async function waitsOf(
  numbers: readonly number[],
  callers: number,
  call: (number: number) => Promise<void>,
): Promise<Waits> {
  const waits: number[] = [];
  const failures: Error[] = [];
  const left = numbers.values();
  const caller = async (): Promise<void> => {
    for (const number of left) {
      const start = performance.now();
      try {
        await call(number);
        waits.push(performance.now() - start);
      } catch (error) {
        failures.push(error instanceof Error ? error : new Error(String(error)));
      }
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return { waits, failures };
}

/** Prints each kind of failure once. */
export function printFailures(failures: readonly Error[]): void {
  const kinds = Map.groupBy(failures, ({ message }) => message);
  for (const [message, all] of kinds) console.log(`failed: ${all.length} × ${message}`);
  if (failures.length > 0) process.exitCode = 1;
}

/** The value that this share of them does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
