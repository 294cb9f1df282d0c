import { execFile } from 'node:child_process';
import { join } from 'node:path';

/** The root of the repository. */
export const root: string = join(import.meta.dirname, '../..');

/**
 * Runs an app and returns what it wrote.
 *
 * @throws Error with all that it wrote, when it fails
 */
export function run(app: string, args: readonly string[], cwd: string = root): Promise<string> {
  return new Promise((done, fail) => {
    execFile(app, args, { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error === null) done(stdout);
      else fail(new Error(`${app} ${args.join(' ')} failed:\n${stdout}\n${stderr || error.message}`));
    });
  });
}

/** Runs a JavaScript or TypeScript file on the Node that runs the tests. */
export function node(args: readonly string[], cwd?: string): Promise<string> {
  return run(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], cwd);
}

/** Runs the app of a development dependency. */
export function tool(file: string, args: readonly string[], cwd?: string): Promise<string> {
  return node([join(root, 'node_modules', file), ...args], cwd);
}
