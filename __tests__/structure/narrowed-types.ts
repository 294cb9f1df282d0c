import { type Source, withoutComments } from './sources.ts';

/** Places at which a type takes some members of another one, which a reader has to look up. */
export interface NarrowedTypes {
  /** `Pick<…>` and `Omit<…>`. */
  readonly picks: number;
  /** What stands for them: `X['y']` of a type of ours, and uses of a generic alias that picks or omits. */
  readonly standIns: number;
}

/** Counts them. The annotation of a value that implements a member (`const find: Cache['find'] = …`) takes nothing. */
export function narrowedTypes(sources: readonly Source[]): NarrowedTypes {
  const code = sources.map(({ text }) => withoutComments(text)).join('\n');
  const ours = new Set(
    Array.from(
      code.matchAll(/\b(?:interface|type|class)\s+(\w+)(?=\s*(?:[<={]|extends|implements))/g),
      ([, name]) => name,
    ),
  );
  const indexed = [...code.matchAll(/(\b(?:const|let) \w+: [^=\n]*)?\b([A-Z]\w*)(?:<[^<>]*>)?\['\w+'\]/g)];
  const aliases = [...code.matchAll(/\btype\s+(\w+)<[^=]*=[^;]*\b(?:Pick|Omit)</g)].map(([, name]) => name);
  const uses = aliases.flatMap((name) => [...code.matchAll(new RegExp(`(?<!type )\\b${name}<`, 'g'))]);
  return {
    picks: [...code.matchAll(/\b(?:Pick|Omit)</g)].length,
    standIns:
      indexed.filter(([, implemented, name]) => implemented === undefined && ours.has(name)).length + uses.length,
  };
}
