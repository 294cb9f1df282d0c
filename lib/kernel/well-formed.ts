import { isPlain } from './validate.ts';

interface Place {
  readonly value: unknown;
  readonly name?: PropertyKey;
  readonly parent?: Place;
}

/** Completes "must": what text is that has no place where `illFormedAt` finds one. */
export const wellFormedDemand = 'be well-formed Unicode text, without half of a surrogate pair such as \\ud800';

/**
 * Where a value has text that is not well-formed: half of a surrogate pair, which JSON can have as an escape. UTF-8 cannot have it, so no store
 * takes it. Looks into arrays and plain objects, and at the names of their members.
 *
 * @returns the path of the text, or of the object with such a name; `undefined` if there is none
 */
export function illFormedAt(value: unknown): readonly PropertyKey[] | undefined {
  const places: Place[] = [{ value }];
  const seen = new Set<unknown>();
  for (let place = places.pop(); place; place = places.pop()) {
    const { value: at } = place;
    if (typeof at === 'string' && !at.isWellFormed()) return pathTo(place);
    if (!(Array.isArray(at) || isPlain(at)) || seen.has(at)) continue;
    seen.add(at);
    for (const [name, member] of Object.entries<unknown>(at)) {
      if (!name.isWellFormed()) return pathTo(place);
      places.push({ value: member, name: Array.isArray(at) ? Number(name) : name, parent: place });
    }
  }
  return undefined;
}

/** A nested value can be as deep as a body is long, so a path is made of the one place that is found. */
function pathTo(place: Place): readonly PropertyKey[] {
  const path: PropertyKey[] = [];
  for (let at: Place | undefined = place; at; at = at.parent) if (at.name !== undefined) path.unshift(at.name);
  return path;
}
