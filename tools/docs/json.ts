import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { JSONOutput } from 'typedoc';

export type { JSONOutput } from 'typedoc';
export { ReflectionKind } from 'typedoc/models';

/** What TypeDoc reads of the declarations in dist: every file is a module. */
export async function readDeclarations(): Promise<JSONOutput.ProjectReflection> {
  const read = join(import.meta.dirname, 'read.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [read], { maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stdout);
}
