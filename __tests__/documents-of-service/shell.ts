import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A shell that runs one block of commands after the other, as somebody does who pastes them. */
export interface Shell {
  /** Runs commands; `typed` is what the person types when they are asked. Answers what was written, and fails if one does. */
  run(commands: string, typed?: string): Promise<string>;
  close(): Promise<void>;
}

/** Starts `sh` with these variables. */
export function startShell(env: Readonly<Record<string, string>> = {}): Shell {
  const folder = mkdtempSync(join(tmpdir(), 'campus-oidc-shell-'));
  const child = spawn('sh', [], { env: { PATH: process.env['PATH'], ...env }, stdio: 'pipe' });
  const gone = new Promise<never>((_, fail) => {
    child.once('exit', (code) => fail(new Error(`the shell ended with ${code}: ${written}${complaints}`)));
  });
  gone.catch(() => undefined);
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
  const until = (pattern: RegExp): Promise<RegExpExecArray> => {
    const { promise, resolve } = Promise.withResolvers<RegExpExecArray>();
    look = () => {
      const found = pattern.exec(written);
      if (found) resolve(found);
    };
    look();
    return Promise.race([promise, gone]);
  };
  return {
    async run(commands, typed) {
      const file = join(folder, 'block.sh');
      // From a file, so that the shell's own input is free for what is typed.
      writeFileSync(file, `${commands}\n`);
      written = '';
      complaints = '';
      child.stdin.write(`. ${file}\n`);
      if (typed !== undefined) {
        await until(/: $/);
        child.stdin.write(`${typed}\n`);
      }
      child.stdin.write('echo; echo "== end $? =="\n');
      const [end] = await until(/\n== end \d+ ==\n/);
      if (complaints !== '') throw new Error(`${commands}\ncomplains: ${complaints}`);
      return written.slice(0, -end.length).trim();
    },
    async close() {
      const ended = gone.catch(() => undefined);
      child.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The blocks of shell commands of a Markdown text, in their order. */
export function shellBlocks(markdown: string): string[] {
  return [...markdown.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, commands = '']) => commands.trim());
}
