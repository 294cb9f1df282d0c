import { execFileSync, spawn } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A shell that runs one block of commands after the other, as somebody does who pastes them. */
export interface Shell {
  /** Runs commands; answers what was written, and fails if one complains. */
  run(commands: string): Promise<string>;
  /** Says that there are no more; fails unless the last of them went well. */
  end(): Promise<void>;
  /** Ends it, whatever it does. */
  kill(): void;
}

const mark = '== done ==';

/** Starts one `sh` with these variables. It reads commands from a pipe, and has nobody whom it could ask for anything. */
export function startShell(env: Readonly<Record<string, string>> = {}): Shell {
  const folder = mkdtempSync(join(tmpdir(), 'campus-oidc-shell-'));
  const pipe = join(folder, 'commands');
  execFileSync('mkfifo', [pipe]);
  const child = spawn('sh', [pipe], { env: { PATH: process.env['PATH'], ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const commandsIn = createWriteStream(pipe);
  commandsIn.on('error', () => undefined);
  let written = '';
  let complaints = '';
  let look = (): void => undefined;
  child.stdout.on('data', (chunk) => {
    written += String(chunk);
    look();
  });
  child.stderr.on('data', (chunk) => {
    complaints += String(chunk);
  });
  const ended = new Promise<void>((done, fail) => {
    child.once('close', (code) => {
      if (code === 0) done();
      else fail(new Error(`the shell ended with ${code}: ${written}${complaints}`));
    });
  });
  ended.catch(() => undefined);
  const marked = async (): Promise<string> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    look = () => {
      if (written.trimEnd().endsWith(mark)) resolve();
    };
    look();
    await Promise.race([promise, ended]);
    const text = written.trimEnd().slice(0, -mark.length).trim();
    written = '';
    return text;
  };
  return {
    async run(commands) {
      commandsIn.write(`${commands}\n\necho; echo '${mark}'\n`);
      const text = await marked();
      if (complaints !== '') throw new Error(`${commands}\ncomplains: ${complaints}`);
      return text;
    },
    end() {
      commandsIn.end();
      return ended;
    },
    kill() {
      child.kill();
      commandsIn.destroy();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The blocks of shell commands of a Markdown text, in their order. */
export function shellBlocks(markdown: string): string[] {
  return [...markdown.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, commands = '']) => commands.trim());
}
