interface Misspelt {
  readonly name: string;
  readonly meant: string;
}

/** Finds members that are named nearly as options that the instance lacks. `findMembers` beside `findMember` is the class's own. */
export function findMisspelt(instance: object, known: readonly string[]): Misspelt[] {
  const missing = known.filter((name) => !(name in instance));
  return memberNames(instance).flatMap((name) => {
    const meant = known.includes(name) ? undefined : nearest(name, missing);
    return meant === undefined ? [] : [{ name, meant }];
  });
}

/** Its own and inherited members, without those that every object has. Nothing is read. */
function memberNames(instance: object): string[] {
  const names: string[] = [];
  for (let at: object = instance; Object.getPrototypeOf(at) !== null; at = Object.getPrototypeOf(at)) {
    names.push(...Object.getOwnPropertyNames(at));
  }
  return names;
}

const maxEdits = 2;

/** The name that was probably meant: at most two letters differ, and of a short name at most one in three. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const limit = Math.min(maxEdits, Math.ceil(name.length / 3));
  const near = known.map((meant) => ({ meant, edits: edits(name.toLowerCase(), meant.toLowerCase(), limit) }));
  return near.filter(({ edits: n }) => n <= limit).sort((a, b) => a.edits - b.edits)[0]?.meant;
}

/** How many letters have to be added, removed or replaced; `Infinity` if the lengths show that it is more than `limit`. */
function edits(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return Infinity;
  let above = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 0; i < a.length; i += 1) {
    const row = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const replaced = (above[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      row.push(Math.min(replaced, (above[j + 1] ?? 0) + 1, (row[j] ?? 0) + 1));
    }
    above = row;
  }
  return above[b.length] ?? 0;
}
