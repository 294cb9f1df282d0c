import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** A source file, by its path from the root of the repository. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** The TypeScript files of these folders. */
export function sourcesOf(...folders: readonly string[]): Source[] {
  const paths = folders.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }));
  return paths
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

/** The text without comments, every line where it was. Strings stay. */
export function withoutComments(text: string): string {
  const token = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
  return text.replace(token, (found) => (found.startsWith('/') ? found.replace(/[^\n]/g, '') : found));
}

/** What a file imports or re-exports, types included: paths from the root for files of ours, else the specifier. */
export function importsOf({ path, text }: Source): string[] {
  const statement = /^(?:import|export)\s(?:[^;'"`]*?\bfrom\s)?\s*'([^']+)'|\bimport\(\s*'([^']+)'/gm;
  return [...withoutComments(text).matchAll(statement)].map(([, from, dynamic]) => {
    const specifier = from ?? dynamic ?? '';
    return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier;
  });
}
