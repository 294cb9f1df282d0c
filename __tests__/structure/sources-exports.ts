import { posix } from 'node:path';
import { type Source, withoutComments } from './sources.ts';

/** A declaration that users of the package can reach, or an export for which none was found. */
export interface PublicExport {
  /** Where it is: `lib/a.ts:12 name`. */
  readonly place: string;
  readonly problem?: 'no declaration' | 'no TSDoc';
}

interface Binding {
  readonly name: string;
  readonly local: string;
  /** The file that it comes from; absent for one of this file. */
  readonly from?: string;
}

const keywords = '(?:declare |abstract |async )*(?:function\\*?|const|let|class|interface|type|enum)';

/** Every declaration behind the exports of these entry points, through re-exports, with what is wrong with it. */
export function publicExports(sources: readonly Source[], entries: readonly string[]): PublicExport[] {
  const files = new Map(sources.map((source) => [source.path, source]));
  const found = entries.flatMap((entry) => {
    const source = files.get(entry);
    if (!source) return [{ place: entry, problem: 'no declaration' } as const];
    return exportsOf(source).map((binding) => declarationOf(files, source, binding));
  });
  return [...new Map(found.map((each) => [each.place, each])).values()];
}

/** Follows an export to its declaration. */
function declarationOf(
  files: ReadonlyMap<string, Source>,
  source: Source,
  { name, local, from }: Binding,
): PublicExport {
  if (from !== undefined) {
    const target = files.get(from);
    const next = target && exportsOf(target).find((each) => each.name === local);
    if (target && next) return declarationOf(files, target, next);
    return { place: `${source.path} ${name}`, problem: 'no declaration' };
  }
  const lines = withoutComments(source.text).split('\n');
  const index = lines.findIndex((line) =>
    new RegExp(`^(?:export )?${keywords} ${escaped(local)}(?![\\w$])`).test(line),
  );
  if (index >= 0) {
    const place = `${source.path}:${index + 1} ${local}`;
    return endsTsDoc(source.text.split('\n'), index - 1) ? { place } : { place, problem: 'no TSDoc' };
  }
  const imported = bindingsOf(source, 'import').find((each) => each.name === local);
  if (imported) return declarationOf(files, source, { ...imported, name });
  return { place: `${source.path} ${name}`, problem: 'no declaration' };
}

/** What a file exports: declarations, lists and re-exports. */
export function exportsOf(source: Source): Binding[] {
  const declaration = new RegExp(`^export ${keywords} ([\\w$]+)`, 'gm');
  const declared = [...withoutComments(source.text).matchAll(declaration)].map(([, name = '']) => ({
    name,
    local: name,
  }));
  return [...declared, ...bindingsOf(source, 'export')];
}

/** The names in `import { … } from` or `export { … }`, each with its name on the other side. */
function bindingsOf({ path, text }: Source, statement: 'import' | 'export'): Binding[] {
  const list = new RegExp(`^${statement} (?:type )?\\{([^}]*)\\}(?: from '([^']+)')?`, 'gm');
  return [...withoutComments(text).matchAll(list)].flatMap(([, names = '', specifier]) => {
    const from = specifier === undefined ? {} : { from: posix.join(posix.dirname(path), specifier) };
    return names.split(',').flatMap((item) => {
      const [first, last] = item
        .trim()
        .replace(/^type /, '')
        .split(' as ');
      if (!first) return [];
      const [inner, outer] = [first, last ?? first];
      return [{ name: outer, local: inner, ...from }];
    });
  });
}

/** Whether a TSDoc block ends on this line. */
function endsTsDoc(lines: readonly string[], end: number): boolean {
  if (lines[end]?.trimEnd().endsWith('*/') !== true) return false;
  const start = lines.slice(0, end + 1).findLastIndex((line) => line.trimStart().startsWith('/*'));
  return lines[start]?.startsWith('/**') === true;
}

function escaped(name: string): string {
  return name.replaceAll('$', '\\$');
}
