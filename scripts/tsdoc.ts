import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the TSDoc of a member says. */
export interface MemberDoc {
  readonly text: string;
  /** The text after `@default`. */
  readonly standard: string | undefined;
  /** The names in the type of the member. */
  readonly types: readonly string[];
}

interface Declaration {
  readonly isExported: boolean;
  /** Whether it adds to an interface of another file, by `declare module`. */
  readonly isAdded: boolean;
  readonly members: ReadonlyMap<string, MemberDoc>;
  /** The types that it extends, or of which it is an alias. */
  readonly bases: readonly string[];
}

/** Finds the TSDoc of a member in the types with these names, and in what they extend. */
export type FindDoc = (types: readonly string[], member: string) => MemberDoc | undefined;

/** Reads the TSDoc of the interfaces of these folders. */
export function tsDocOf(...folders: readonly string[]): FindDoc {
  const root = join(import.meta.dirname, '..');
  const declarations = new Map<string, Declaration>();
  for (const path of folders.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root })).sort()) {
    for (const [name, read] of declarationsOf(readFileSync(join(root, path), 'utf8'))) {
      const before = declarations.get(name);
      if (before && read.isAdded) declarations.set(name, together(before, read));
      // A file may have a type of its own with the name of an exported one.
      else if (!before || read.isExported) declarations.set(name, before?.isAdded ? together(read, before) : read);
    }
  }
  const find = (types: readonly string[], member: string, seen: ReadonlySet<string>): MemberDoc | undefined => {
    for (const type of types.filter((name) => !seen.has(name))) {
      const { members, bases = [] } = declarations.get(type) ?? {};
      const found = members?.get(member) ?? find(bases, member, new Set([...seen, type]));
      if (found) return found;
    }
    return undefined;
  };
  return (types, member) => find(types, member, new Set());
}

function together(declared: Declaration, added: Declaration): Declaration {
  const members = new Map([...declared.members, ...added.members]);
  return { ...declared, members, bases: [...declared.bases, ...added.bases] };
}

function declarationsOf(text: string): [name: string, Declaration][] {
  const added = [...text.matchAll(/^declare module '[^']+' \{\n([^]*?)^\}/gm)].flatMap(([, block = '']) =>
    declarationsOf(block.replaceAll(/^ {2}/gm, '')),
  );
  const interfaces = text.matchAll(
    /^(export )?interface (\w+)(?:<[^{]*?>(?= extends | \{))?([^{]*)\{(?:\}|\n([^]*?)^\})/gm,
  );
  const aliases = text.matchAll(/^(export )?type (\w+)(?:<[^>]*>)? =([^]*?);\n(?:\n|$)/gm);
  return [
    ...[...interfaces].map(([, exported, name = '', bases = '', body = '']) =>
      declaration(exported, name, bases, body),
    ),
    ...[...aliases].map(([, exported, name = '', bases = '']) => declaration(exported, name, bases, '')),
    ...added.map(([name, each]): [string, Declaration] => [name, { ...each, isAdded: true }]),
  ];
}

function declaration(exported: string | undefined, name: string, bases: string, body: string): [string, Declaration] {
  const members = body.matchAll(/^ {2}\/\*\*((?:(?!\*\/)[^])*)\*\/\n {2}readonly (\w+)\??:\s+([^]*?);$/gm);
  const docs = [...members].map(([, comment = '', member = '', type = '']) => {
    const [text = '', standard] = comment
      .replace(/\s*\n\s*\*?\s*/g, ' ')
      .trim()
      .split(/ ?@default /);
    return [member, { text, standard, types: namesIn(type) }] as const;
  });
  return [name, { isExported: exported !== undefined, isAdded: false, members: new Map(docs), bases: namesIn(bases) }];
}

function namesIn(type: string): string[] {
  return type.match(/\b[A-Z]\w*/g) ?? [];
}
