import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { JSONOutput } from 'typedoc';

export type { JSONOutput } from 'typedoc';
export { ReflectionKind } from 'typedoc/models';

/** What TypeDoc reads of the declarations in dist: every file is a module. */
export async function readDeclarations(): Promise<JSONOutput.ProjectReflection> {
  return JSON.parse(await printed('read.ts'));
}

/** A table as an expression of a file, such as `this.rows`. */
export interface ReadByName {
  readonly file: string;
  readonly table: string;
}

/** Every `table[name]` and `name in table` of files whose name can be any text. Paths are absolute, or from the root. */
export async function readsByName(files: readonly string[]): Promise<ReadByName[]> {
  return JSON.parse(await printed('reads-by-name.ts', ...files));
}

async function printed(script: string, ...args: string[]): Promise<string> {
  const path = join(import.meta.dirname, script);
  const { stdout } = await promisify(execFile)(process.execPath, [path, ...args], {
    cwd: join(import.meta.dirname, '../..'),
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}
