// The public API as one text: `npm run public-api` writes it to public-api.txt, and a test compares, so that a change of a public type is
// seen in a diff. Declarations that no entry point leads to are not in dist (scripts/public-types.mjs), so all that is there is public.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const head = `Public API

What entry points export, and each declaration that these lead to, without comments. \`npm run build && npm run public-api\` writes this file. A line that
is removed or changed here breaks somebody's code: it needs a line in \`CHANGELOG.md\`. \`docs/upgrading.md\` says
what a version promises, and how a name is deprecated.
`;

/** The text for the declarations in `dist`. Where a declaration is does not count, so moving a file changes nothing. */
export function publicApi(root: string): string {
  const { name, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const files = globSync('dist/**/*.d.ts', { cwd: root }).map((file) => file.replaceAll('\\', '/'));
  const statements = new Map(files.map((file) => [file, statementsOf(readFileSync(join(root, file), 'utf8'))]));
  const entries = Object.entries<{ types?: string }>(exports).flatMap(([subpath, { types }]) => {
    if (types === undefined) return [];
    const names = (statements.get(posix.normalize(types)) ?? []).flatMap(exportedBy).sort();
    return [`${posix.join(name, subpath)}\n  ${names.join('\n  ')}\n`];
  });
  const declarations = [...statements.values()]
    .flat()
    .filter((code) => !/^(?:import|export) (?:type )?[{*]|^import /.test(code))
    .map((code) => code.replace(/^(?:export )?(?:default )?(?:declare )?/, ''))
    .filter((code) => code !== 'texts;')
    .sort();
  const unique = [...new Set(declarations)];
  return `${head}\n${entries.join('\n')}\n${unique.join('\n')}\n`;
}

/** The statements of a file of declarations, without comments: each begins at the start of a line. */
function statementsOf(text: string): string[] {
  const code = text.replaceAll(/^ *\/\*\*[^]*?\*\/\n/gm, '').replaceAll(/^ *\/\/.*\n/gm, '');
  return code
    .split(/\n(?=[a-z@])/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

/** The names that a statement of an entry point exports. */
function exportedBy(code: string): string[] {
  const [, list] = /^export (?:type )?\{([^}]*)\}/.exec(code) ?? [];
  if (list !== undefined) {
    const items = list.split(',').map((item) => item.trim().replace(/^type /, ''));
    return items.filter((item) => item !== '').map((item) => item.split(' as ').at(-1) ?? item);
  }
  const [, own] =
    /^export (?:declare )?(?:abstract )?(?:function|const|class|interface|type) ([\w$]+)/.exec(code) ?? [];
  return own === undefined ? [] : [own];
}

if (process.argv[1] === import.meta.filename) {
  const root = join(import.meta.dirname, '..');
  writeFileSync(join(root, 'public-api.txt'), publicApi(root));
}
