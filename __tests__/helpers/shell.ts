import { execFileSync, spawn } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One shell session that runs blocks of commands in order, like a reader who pastes them. */
interface Shell {
  /** Runs commands and returns their output. Rejects if one writes to stderr. */
  run(commands: string): Promise<string>;
  /** Closes the input. Rejects unless the shell exits with 0. */
  end(): Promise<void>;
  /** Kills the shell and removes its files. */
  kill(): void;
}

const mark = '== done ==';

/** Starts `sh` with these variables. It reads commands from a pipe and has no stdin, so a prompt fails. */
export function startShell(env: Readonly<Record<string, string>> = {}): Shell {
  const folder = mkdtempSync(join(tmpdir(), 'campus-oidc-shell-'));
  const pipe = join(folder, 'commands');
  execFileSync('mkfifo', [pipe]);
  const child = spawn('sh', [pipe], { env: { PATH: process.env['PATH'], ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const commandsIn = createWriteStream(pipe);
  commandsIn.on('error', () => undefined);
  let written = '';
  let errors = '';
  let checkOutput = (): void => undefined;
  child.stdout.on('data', (chunk) => {
    written += String(chunk);
    checkOutput();
  });
  child.stderr.on('data', (chunk) => {
    errors += String(chunk);
  });
  const ended = new Promise<void>((done, fail) => {
    child.once('close', (code) => {
      if (code === 0) done();
      else fail(new Error(`the shell exited with ${code}: ${written}${errors}`));
    });
  });
  ended.catch(() => undefined);
  const marked = async (): Promise<string> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    checkOutput = () => {
      if (written.trimEnd().endsWith(mark)) resolve();
    };
    checkOutput();
    await Promise.race([promise, ended]);
    const text = written.trimEnd().slice(0, -mark.length).trim();
    written = '';
    return text;
  };
  return {
    async run(commands) {
      commandsIn.write(`${commands}\n\necho; echo '${mark}'\n`);
      const text = await marked();
      if (errors !== '') throw new Error(`${commands}\nwrote to stderr: ${errors}`);
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

/** The `sh` code blocks of a Markdown text, in order. */
export function shellBlocks(markdown: string): string[] {
  return [...markdown.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, commands = '']) => commands.trim());
}
