/** A value that `JSON.parse` can return. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** A JSON object. A member with the value `undefined` is omitted. */
export interface JsonObject {
  [member: string]: JsonValue | undefined;
}

/** A JSON object that somebody else wrote. */
export type Json = Readonly<Record<string, unknown>>;

/** An object, or an empty one for any other value. */
export function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** Parses a JSON object; anything else is empty. */
export function parseObject(text: string): Json {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}

/** A member that is a string. */
export function textOf(json: Json, member: string): string | undefined {
  const value = json[member];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The members of an array, each as an object. */
export function objectsOf(json: Json, member: string): readonly Json[] {
  const value = json[member];
  return Array.isArray(value) ? value.map(objectOf) : [];
}

export function textsOf(json: Json, member: string): readonly string[] {
  const value = json[member];
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
