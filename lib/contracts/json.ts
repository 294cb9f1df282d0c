/** A value that `JSON.parse` can return. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** A JSON object. A member with the value `undefined` is omitted. */
export interface JsonObject {
  [member: string]: JsonValue | undefined;
}
