import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** The page of an entry point. */
export interface ApiPage {
  /** The last part of its address. */
  readonly entry: string;
  /** What a host imports. */
  readonly specifier: string;
  readonly markdown: string;
}

interface Declaration {
  readonly name: string;
  /** What the TSDoc above it says, as Markdown. */
  readonly text: string;
  /** As TypeScript, with the TSDoc of its members. */
  readonly code: string;
}

/** The reference of everything that the package exports: a page for each entry point, from the declarations in `dist`. */
export function apiPages(root: string): ApiPage[] {
  const { name, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const read = reader(root);
  return Object.entries<{ types?: string }>(exports).flatMap(([subpath, { types }]) => {
    if (types === undefined) return [];
    const specifier = posix.join(name, subpath);
    const declarations = exportsOf(read, posix.normalize(types)).sort((a, b) => a.name.localeCompare(b.name));
    return [{ entry: specifier.replaceAll('/', '-'), specifier, markdown: pageOf(specifier, declarations) }];
  });
}

function pageOf(specifier: string, declarations: readonly Declaration[]): string {
  const sections = declarations.map(({ name, text, code }) => `## ${name}\n\n${text}\n\n\`\`\`ts\n${code}\n\`\`\`\n`);
  return `# ${specifier}\n\n${sections.join('\n')}`;
}

/** Returns the statements of a file of declarations: each begins at the start of a line, with its TSDoc. */
type Read = (file: string) => readonly string[];

function reader(root: string): Read {
  const known = new Map<string, readonly string[]>();
  return (file) => {
    const statements = known.get(file) ?? readFileSync(join(root, file), 'utf8').split(/\n(?=\/\*\*|(?<!\*\/\n)[a-z])/);
    known.set(file, statements);
    return statements;
  };
}

const declared = /^(?:export )?(?:declare )?(?:abstract )?(?:function|const|class|interface|type) ([\w$]+)/m;

function exportsOf(read: Read, file: string): Declaration[] {
  return read(file).flatMap((statement) => {
    const code = withoutTsDoc(statement);
    const [, list, from] = /^export (?:type )?\{([^}]*)\}(?: from '([^']+)')?;/.exec(code) ?? [];
    if (list === undefined) return code.startsWith('export ') ? declarationOf(statement) : [];
    return namesIn(list).flatMap(({ name, local }) => find(read, fileOf(file, from) ?? file, local, name));
  });
}

/** The declaration of a name of a file, which may have it from another one. Overloads are one. */
function find(read: Read, file: string, local: string, name: string): Declaration[] {
  const here = read(file).filter((statement) => declared.exec(withoutTsDoc(statement))?.[1] === local);
  const found = here.flatMap((statement) => declarationOf(statement));
  if (found.length > 0) {
    const text = found.map((each) => each.text).filter((each) => each !== '');
    return [{ name, text: text.join('\n\n'), code: found.map(({ code }) => code).join('\n') }];
  }
  for (const statement of read(file)) {
    const [, list = '', from] =
      /^(?:export|import) (?:type )?\{([^}]*)\} from '([^']+)';/.exec(withoutTsDoc(statement)) ?? [];
    const listed = namesIn(list).find((each) => each.name === local);
    const target = fileOf(file, from);
    if (listed && target !== undefined) return find(read, target, listed.local, name);
  }
  throw new Error(`${file} has no declaration of ${local}`);
}

function fileOf(importer: string, specifier: string | undefined): string | undefined {
  if (!specifier?.startsWith('.')) return undefined;
  return posix.join(posix.dirname(importer), specifier.replace(/\.[jt]s$/, '.d.ts'));
}

function namesIn(list: string): { readonly name: string; readonly local: string }[] {
  const items = list.split(',').map((item) => item.trim().replace(/^type /, ''));
  return items.flatMap((item) => {
    const [local = '', name = local] = item.split(' as ');
    return local === '' ? [] : [{ name, local }];
  });
}

function declarationOf(statement: string): Declaration[] {
  const code = withoutTsDoc(statement).trim();
  const name = declared.exec(code)?.[1];
  if (name === undefined) return [];
  return [{ name, text: textOf(statement), code: shortened(code.replace(/^(?:export )?(?:declare )?/, '')) }];
}

/** A table of data is as long as its rows. */
function shortened(code: string): string {
  const lines = code.split('\n');
  return lines.length <= 200 ? code : `${lines.slice(0, 40).join('\n')}\n// … and ${lines.length - 40} more lines`;
}

function withoutTsDoc(statement: string): string {
  return statement.replace(/^\/\*\*[^]*?\*\/\n/, '');
}

const words: Readonly<Record<string, string>> = {
  throws: '**Throws**',
  default: '**Default:**',
  returns: '**Returns**',
};

function textOf(statement: string): string {
  const [, comment = ''] = /^\/\*\*([^]*?)\*\/\n/.exec(statement) ?? [];
  return comment
    .replace(/^ *\*? ?/gm, '')
    .trim()
    .replace(/\{@link ([^}]+)\}/g, '`$1`')
    .replace(/\bSpecification: /g, '[Specification](../spec-coverage.md): ')
    .replace(/\s*@param (\w+) - /g, '\n\n`$1`: ')
    .replace(/\s*@(throws|default|returns)\b/g, (_tag, name: string) => `\n\n${words[name]}`);
}
