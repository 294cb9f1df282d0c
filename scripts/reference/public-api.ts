import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type JSONOutput, readDeclarations } from '../../tools/docs/json.ts';
import { declarationText } from './declaration-text.ts';

export type Declaration = JSONOutput.DeclarationReflection;

/** What a host imports from, and what it finds there. */
export interface EntryPoint {
  /** For example `campus-oidc/mcp`. */
  readonly specifier: string;
  readonly exports: readonly Declaration[];
}

/** What the package shows of itself. */
export interface PublicApi {
  readonly entryPoints: readonly EntryPoint[];
  /** Types without an export, to which exports lead. */
  readonly reached: readonly Declaration[];
  /** The declaration that a type names, if it is one of this package. */
  readonly declarationOf: (reference: JSONOutput.ReferenceType) => Declaration | undefined;
  /** A declaration as TypeScript, which is not formatted. */
  readonly textOf: (declaration: Declaration, how?: TextOptions) => string;
}

export interface TextOptions {
  /** Whether members have their TSDoc. */
  readonly comments?: boolean;
  /** Gets each name in the types. */
  readonly onName?: (reference: JSONOutput.ReferenceType) => void;
}

/** Reads the public API from the declarations in dist. */
export async function readPublicApi(): Promise<PublicApi> {
  const manifest = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
  const { name, exports } = JSON.parse(manifest);
  const { children: modules = [] } = await readDeclarations();
  const all = modules.flatMap(({ children = [] }) => children);
  const byId = new Map<number, Declaration | JSONOutput.ReferenceReflection>(all.map((each) => [each.id, each]));

  const declared = (id: number): Declaration | undefined => {
    const found = byId.get(id);
    return found && 'target' in found ? declared(found.target) : found;
  };
  const declarationOf = ({ target }: JSONOutput.ReferenceType): Declaration | undefined =>
    typeof target === 'number' ? declared(target) : undefined;
  const isOwn = ({ package: from, refersToTypeParameter }: JSONOutput.ReferenceType): boolean =>
    from === name && !refersToTypeParameter;

  const entryPoints = Object.entries<{ types?: string }>(exports).flatMap(([subpath, { types }]) => {
    if (types === undefined) return [];
    const { children = [] } = modules.find(({ sources }) => sources?.[0]?.fileName === posix.normalize(types)) ?? {};
    return [{ specifier: posix.join(name, subpath), exports: children.flatMap(({ id }) => declared(id) ?? []) }];
  });
  const exported = new Set(entryPoints.flatMap((entry) => entry.exports));

  const isShown = (base: JSONOutput.ReferenceType): boolean => {
    if (!isOwn(base)) return !(base.package === 'typescript' && base.typeArguments);
    const declaration = declarationOf(base);
    return declaration !== undefined && exported.has(declaration);
  };
  const textOf = (declaration: Declaration, { comments = false, onName }: TextOptions = {}): string => {
    const nameOf = (reference: JSONOutput.ReferenceType): string => {
      onName?.(reference);
      const { qualifiedName = '' } = reference;
      return qualifiedName.startsWith('NodeJS.') ? qualifiedName : reference.name;
    };
    return declarationText(declaration, { nameOf, isShown, comments });
  };

  const known = new Set(exported);
  for (const declaration of known) {
    const onName = (reference: JSONOutput.ReferenceType): void => {
      if (!isOwn(reference)) return;
      const named = declarationOf(reference);
      if (!named) throw new Error(`${declaration.name} names ${reference.name}, which its file must export`);
      known.add(named);
    };
    textOf(declaration, { onName });
  }
  return { entryPoints, reached: [...known].filter((each) => !exported.has(each)), declarationOf, textOf };
}

/** @throws Error if the package shows no such type */
export function declarationNamed({ entryPoints, reached }: PublicApi, name: string): Declaration {
  const found = [...entryPoints.flatMap((entry) => entry.exports), ...reached].find((each) => each.name === name);
  if (!found) throw new Error(`${name} must be exported`);
  return found;
}
