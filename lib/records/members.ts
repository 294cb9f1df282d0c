import type { JsonObject } from '../contracts/json.ts';

/** An object of unknown origin. The functions below read one member of it and throw if that has another type. */
export type Members = Readonly<Record<string, unknown>>;

export function text(object: Members, name: string): string {
  const value = object[name];
  return typeof value === 'string' ? value : wrong(name, 'a string');
}

export function number(object: Members, name: string): number {
  const value = object[name];
  return typeof value === 'number' ? value : wrong(name, 'a number');
}

export function texts(object: Members, name: string): string[] {
  const value: unknown = object[name];
  if (!Array.isArray(value)) return wrong(name, 'an array');
  return value.map((item: unknown) => (typeof item === 'string' ? item : wrong(name, 'an array of strings')));
}

export function members(object: Members, name: string): Members {
  const value = object[name];
  return isMembers(value) ? value : wrong(name, 'an object');
}

export function json(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return typeof value === 'object' && !Array.isArray(value) && value !== null ? value : wrong(name, 'an object');
}

export function oneOf<T extends string>(...values: readonly T[]): (object: Members, name: string) => T {
  return (object, name) => values.find((value) => value === object[name]) ?? wrong(name, values.join(' or '));
}

export function optional<O extends Members, T>(
  object: O,
  name: string,
  read: (object: O, name: string) => T,
): T | undefined {
  return object[name] === undefined ? undefined : read(object, name);
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wrong(name: string, type: string): never {
  throw new TypeError(`${name} must be ${type}`);
}
