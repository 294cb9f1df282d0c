/** A value that `JSON.parse` can return. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** A JSON object. A member with the value `undefined` is omitted. */
export interface JsonObject {
  [member: string]: JsonValue | undefined;
}

/** The members of a JSON object that was written elsewhere: nothing is known of their values yet. */
export type JsonMembers = Readonly<Record<string, unknown>>;

/** An object, or an empty one for any other value. */
export function objectOf(value: unknown): JsonMembers {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** Parses a JSON object; anything else is empty. */
export function parseObject(text: string): JsonMembers {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}

/** A member that is a string. */
export function textOf(json: JsonMembers, member: string): string | undefined {
  const value = json[member];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The members of an array, each as an object. */
export function objectsOf(json: JsonMembers, member: string): readonly JsonMembers[] {
  const value = json[member];
  return Array.isArray(value) ? value.map(objectOf) : [];
}

export function textsOf(json: JsonMembers, member: string): readonly string[] {
  const value = json[member];
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
