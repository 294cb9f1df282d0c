import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { documents } from './documents.ts';

const root = join(import.meta.dirname, '../..');

/** A block of code of a Markdown file. */
export interface Snippet {
  readonly file: string;
  /** The line of the file on which its code begins. */
  readonly line: number;
  readonly code: string;
  /** The name of the file that it is, if its first line is a comment with that: other blocks can import it. */
  readonly name?: string;
}

const languages = { typescript: 'ts|typescript', shell: 'sh|bash|shell', javascript: 'js|mjs|cjs|javascript' } as const;
type Language = keyof typeof languages;

/** The blocks of a Markdown text in a language. */
export function snippetsOf(file: string, markdown: string, language: Language = 'typescript'): Snippet[] {
  const block = `^(?<fence>\`{3,}|~{3,})(?:${languages[language]})\\b[^\\n]*\\n(?<code>[\\s\\S]*?)^\\k<fence>`;
  const blocks = markdown.matchAll(new RegExp(block, 'gm'));
  return [...blocks].map(({ index, groups }) => {
    const code = groups?.['code'] ?? '';
    const [, name] = /^\/\/ ([\w-]+\.ts)\n/.exec(code) ?? [];
    const line = markdown.slice(0, index).split('\n').length + 1;
    return { file, line, code, ...(name !== undefined && { name }) };
  });
}

/** The blocks in a language of all documents. One is made of declarations, which the compiler has checked already. */
export function allSnippets(language: Language = 'typescript'): Snippet[] {
  const read = documents.filter((file) => file !== 'docs/reference/api.md');
  return read.flatMap((file) => snippetsOf(file, readFileSync(join(root, file), 'utf8'), language));
}

/** The name under which the compiler sees a block. */
export function fileOf({ file, line, name }: Snippet): string {
  return name ?? `${file.replaceAll('/', '-')}-${line}.ts`;
}

const compilerOptions = {
  module: 'nodenext',
  target: 'es2024',
  lib: ['es2024'],
  types: ['node'],
  moduleDetection: 'force',
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
};

/** Writes a project of these blocks, in which the package's name means `dist`, and returns its folder. */
export function writeProject(snippets: readonly Snippet[]): string {
  const folder = join(root, 'node_modules/.cache/campus-oidc-snippets');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const snippet of snippets) {
    // Blank lines in front: an error has the line number of the Markdown file.
    writeFileSync(join(folder, fileOf(snippet)), '\n'.repeat(snippet.line - 1) + snippet.code);
  }
  const config = { compilerOptions: { ...compilerOptions, paths: pathsOf() }, files: snippets.map(fileOf) };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  return folder;
}

function pathsOf(): Record<string, string[]> {
  const { name, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const entries = Object.entries<{ types?: string }>(exports).filter(([, { types }]) => types !== undefined);
  return Object.fromEntries(entries.map(([subpath, { types = '' }]) => [name + subpath.slice(1), [join(root, types)]]));
}
