/** What a table has under a name that comes from outside: `constructor` and its like are in every object, and in no table. */
export function ownEntry<T>(table: Readonly<Partial<Record<string, T>>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
