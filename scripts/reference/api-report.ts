import { posix } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { type JSONOutput, ReflectionKind } from '../../tools/docs/json.ts';
import type { Declaration, PublicApi } from './public-api.ts';

export const apiReportFile = 'docs/reference/api.md';

const head = `# Public API

The names that the package exports, by entry point, with their types. \`npm run reference\` writes this page from the declarations
in \`dist\`, and a test compares them. A line that is removed or changed here breaks somebody's code: add a line to \`CHANGELOG.md\`.
`;

const reachedHead = `## Types without an export

Exports lead to these types, which have no name to import.
`;

/** The public API as one page of TypeScript. */
export async function apiReport({ entryPoints, reached, textOf }: PublicApi): Promise<string> {
  const style = await resolveConfig(import.meta.filename);
  const block = async (declarations: readonly Declaration[]): Promise<string> => {
    const imports = new Map<string, Set<string>>();
    const texts = declarations.toSorted(inOrder).map((each) => textOf(each, { onName: (name) => note(imports, name) }));
    const code = [importLines(imports), ...texts].join('\n\n');
    const formatted = await format(code, { ...style, parser: 'typescript' });
    return `\n\`\`\`ts\n${formatted}\`\`\`\n`;
  };
  const sections = await Promise.all(
    entryPoints.map(async ({ specifier, exports }) => `\n## ${specifier}\n${await block(exports)}`),
  );
  return `${head}${sections.join('')}\n${reachedHead}${await block(reached)}`;
}

const values = [ReflectionKind.Function, ReflectionKind.Variable, ReflectionKind.Class];

/** What can be called first, then types; by name. */
function inOrder(a: Declaration, b: Declaration): number {
  const isType = ({ kind }: Declaration): number => (values.includes(kind) ? 0 : 1);
  return isType(a) - isType(b) || (a.name < b.name ? -1 : 1);
}

/** Notes what of another package is named. */
function note(imports: Map<string, Set<string>>, { name, target, package: from = '' }: JSONOutput.ReferenceType): void {
  const specifier = typeof target === 'object' ? specifierOf(from, target) : undefined;
  if (specifier === undefined) return;
  imports.set(specifier, (imports.get(specifier) ?? new Set()).add(name));
}

/** What its name is imported from; undefined for a global one. */
function specifierOf(from: string, { packagePath, qualifiedName }: JSONOutput.ReflectionSymbolId): string | undefined {
  if (from === 'typescript' || qualifiedName.startsWith('NodeJS.')) return undefined;
  return from === '@types/node' ? `node:${posix.basename(packagePath, '.d.ts')}` : from.replace(/^@types\//, '');
}

function importLines(imports: ReadonlyMap<string, ReadonlySet<string>>): string {
  return [...imports]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([specifier, names]) => `import type { ${[...names].sort().join(', ')} } from '${specifier}';`)
    .join('\n');
}
