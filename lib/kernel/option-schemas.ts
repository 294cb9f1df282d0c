import * as z from 'zod';
import { inspect } from 'node:util';
import { findMisspelt } from './misspelt.ts';
import { isObject, isPlain, parse } from './validate.ts';

/** One schema for each member of the options `T`, no more and no fewer: for `satisfies`. */
export type Shape<T> = { readonly [K in keyof T]-?: z.ZodType };

/** The options that these schemas read, by name. */
export type Read<Schemas extends z.core.$ZodLooseShape> = Readonly<z.infer<z.ZodObject<Schemas>>>;

/** Schemas of the members that features add to `T`. */
export type AddedShape<T> = { readonly [K in keyof T]-?: z.ZodType<T[K]> };

export const flag = z.boolean('be true or false');

export function text(demand = 'be a non-empty string') {
  return z.string(demand).min(1);
}

export function whole(what: string, min: number, max: number) {
  const int = z.int(`be a ${what}, at least ${min} and at most ${max}`).min(min).max(max);
  return int.meta({ type: `${what}, ${min} to ${max}` });
}

export function seconds(max: number) {
  const number = z.number(`be a number of seconds, more than 0 and at most ${max}`).positive().max(max);
  return number.meta({ type: `number of seconds, more than 0, at most ${max}` });
}

export function func<T>(demand = 'be a function') {
  return z.custom<T>((value) => typeof value === 'function', demand).meta({ type: 'function' });
}

const pathDemand = 'be a path such as "/developers/applications", or false';

/** A path that `false` turns off. `takenBy` names what has the path already. */
export function pathOrFalse(
  takenBy: (path: string) => string | undefined,
): z.ZodType<string | undefined, string | false> {
  return z
    .union([z.literal(false), z.string(pathDemand).refine(isPath, pathDemand)])
    .refine((path) => path === false || takenBy(path) === undefined, {
      error: ({ input }) => `not be at or under ${takenBy(String(input))}, which is taken`,
    })
    .transform((path) => (path === false ? undefined : path))
    .meta({ type: 'path or `false`' });
}

function isPath(path: string): boolean {
  return /^(?:\/[\w.~-]+)+$/.test(path) && !/\/\.\.?(?:\/|$)/.test(path);
}

export function pathsOverlap(a: string, b: string): boolean {
  return `${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`);
}

export function list<T extends z.ZodType>(item: T, demand: string) {
  return z.array(item, demand).readonly();
}

/** Options by name. A name that is not one of them is refused. */
export function group<S extends z.core.$ZodLooseShape>(shape: S, demand = 'be an object') {
  return z.strictObject(shape, { error: ({ code }) => (code === 'invalid_type' ? demand : undefined) }).readonly();
}

export function methods(names: readonly string[], demand?: string) {
  return Object.fromEntries(names.map((name) => [name, func(demand)]));
}

/** An object of the host's. It is checked and never copied, so that its identity, `this` and private fields remain. */
export function instance<T extends object>(shape: z.core.$ZodLooseShape, demand: string) {
  return z.custom<T>(isObject, demand).check(hasMembers(z.object(shape)));
}

/** A check that a value fits a schema, whatever the schema would make of it. */
export function hasMembers(schema: z.ZodType): (payload: z.core.ParsePayload) => void {
  return (payload) => {
    const { problem } = parse(schema, payload.value);
    if (problem?.known) refuseUnknown(payload, problem.path, problem.known);
    else if (problem) refuse(payload, problem.path, problem.demand);
  };
}

/**
 * A check of an object of the host's. An instance of a class has members of its own, but none that is named nearly as one of `hints` which
 * it lacks; an unknown member of a plain object is a mistake.
 */
export function membersOf(
  shape: z.core.$ZodLooseShape,
  hints: readonly string[],
): (payload: z.core.ParsePayload<object>) => void {
  return (payload) => {
    if (isPlain(payload.value)) return hasMembers(z.strictObject(shape))(payload);
    const [misspelt] = findMisspelt(payload.value, hints);
    if (misspelt) return refuseUnknown(payload, [misspelt.name], [misspelt.meant]);
    return hasMembers(z.object(shape))(payload);
  };
}

export function refuse(payload: z.core.ParsePayload, path: readonly PropertyKey[], demand: string): void {
  payload.issues.push({ code: 'custom', input: payload.value, path: [...path], message: demand });
}

export function refuseUnknown(
  payload: z.core.ParsePayload,
  path: readonly PropertyKey[],
  known: readonly string[],
): void {
  const keys = path.slice(-1).map(String);
  const message = known.join(', ');
  payload.issues.push({ code: 'unrecognized_keys', input: undefined, keys, path: path.slice(0, -1), message });
}

export function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : inspect(value, { depth: 0, breakLength: Infinity });
}

/** Where a value occurs for the second time, and what is demanded there. */
export function repeated<P>(values: Iterable<readonly [at: P, value: string]>): readonly [P, string] | undefined {
  const seen = new Set<string>();
  for (const [at, value] of values) {
    if (seen.has(value)) return [at, `be unique; ${JSON.stringify(value)} is duplicated`];
    seen.add(value);
  }
  return undefined;
}

/** Whether a page may link to this address: `https:` or `http:`, with a host and without a user name. RFC 7591 section 5. */
export function isWebAddress(address: string): boolean {
  const url = address.length > 2000 ? null : URL.parse(address);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

const addressDemand = 'be an https: or http: address';

export const webAddressField = z.string(addressDemand).refine(isWebAddress, addressDemand);

export const clientUriField = webAddressField.optional();
