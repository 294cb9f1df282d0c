import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { terminalOn } from '../../lib/cli/output.ts';
import { runCommandLine } from '../../lib/cli/run.ts';

const root = new URL('../..', import.meta.url);

/** How a command ended, and what it wrote. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/**
 * Runs `campus-oidc` in this process, which takes a tenth of the time of a process of its own.
 *
 * @param answer - what a person types; without it, nobody is at a terminal
 */
export async function campusOidc(args: readonly string[], answer?: string): Promise<Ended> {
  let [out, err] = ['', ''];
  const isTTY = answer !== undefined;
  const streams = {
    input: Object.assign(Readable.from(answer === undefined ? [] : [answer]), { isTTY }),
    out: { write: (written: string) => (out += written) },
    err: { isTTY, write: (written: string) => (err += written) },
  };
  // Whether this process has colours must not matter.
  const code = await runCommandLine(
    args,
    terminalOn(streams, (_colour, name) => name),
  );
  return { code, out, err };
}

/** Runs `campus-oidc` as its user would, without a terminal. Who reads its standard output may stop before the first line. */
export async function campusOidcProcess(
  args: readonly string[],
  env: Record<string, string> = {},
  reader: 'reads' | 'stops' = 'reads',
): Promise<Ended> {
  const { FORCE_COLOR: _forced, NO_COLOR: _none, ...plain } = process.env;
  // On Node 22 `node:sqlite`, which stores of tests import, and the types of TypeScript have a warning each.
  const flags = ['--disable-warning=ExperimentalWarning'];
  const child = spawn(process.execPath, [...flags, 'lib/cli/main.ts', ...args], {
    cwd: root,
    env: { ...plain, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (reader === 'stops') child.stdout.destroy();
  const read = reader === 'stops' ? '' : text(child.stdout);
  const [out, err] = await Promise.all([read, text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, out, err: err.replace(ofUnsupported, '') };
}

/** What the engine writes on a Node that is not an LTS release yet. */
const ofUnsupported = /^oidc-provider WARNING: Unsupported runtime\. .*\n/m;
