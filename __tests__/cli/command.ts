import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

const root = new URL('../..', import.meta.url);

/** How a command ended, and what it wrote. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs `campus-oidc` as its user would, without a terminal. */
export async function campusOidc(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const { FORCE_COLOR: _forced, ...plain } = process.env;
  const child = spawn(process.execPath, ['lib/cli/main.ts', ...args], {
    cwd: root,
    env: { ...plain, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, out, err };
}
