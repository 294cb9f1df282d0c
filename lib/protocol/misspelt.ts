/** A member that looks like one that is missing. */
interface Misspelt {
  readonly name: string;
  readonly meant: string;
}

/**
 * Finds, in an instance of a class, a member whose name is nearly that of an option that the instance does not have. What looks
 * like an option that is there (`findMembers` beside `findMember`) is the class's own.
 */
export function findMisspelt(instance: object, known: readonly string[]): Misspelt | undefined {
  const missing = known.filter((name) => !(name in instance));
  for (const name of memberNames(instance)) {
    const meant = known.includes(name) ? undefined : missing.find((option) => isNearly(name, option));
    if (meant !== undefined) return { name, meant };
  }
  return undefined;
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

function isNearly(name: string, option: string): boolean {
  const [a, b] = [name.toLowerCase(), option.toLowerCase()];
  return Math.abs(a.length - b.length) <= maxEdits && edits(a, b) <= maxEdits;
}

/** How many letters have to be added, removed or replaced. */
function edits(a: string, b: string): number {
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
