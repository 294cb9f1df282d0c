import {
  defaultTypeResolver,
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { callResolver, failureAt, hasProperties, infoOf, type Path, type Run } from './call.ts';
import { type Field, fieldsOf } from './selections.ts';
import { gather, ignore, isThenable, settle } from './settle.ts';

// No promise that is made here rejects, so none can be left unhandled: a failure is a value, an `Error` with its place. A
// promise of the host gets its handlers in `settle`, in the turn in which it is seen.

export type Data = Record<string, unknown>;

/** GraphQL section 6.3. */
export function runFields(
  run: Run,
  fields: readonly Field[],
  source: unknown,
  path: Path | undefined,
): Data | Error | Promise<Data | Error> {
  const results: Data = {};
  let waits = false;
  for (const field of fields) {
    const value = runField(run, field, source, path);
    if (value instanceof Error) {
      ignoreProperties(fields, source);
      return value;
    }
    waits ||= value instanceof Promise;
    if (field.key !== '__proto__') results[field.key] = value;
    else Object.defineProperty(results, field.key, { value, enumerable: true, writable: true });
  }
  return waits ? gather(results) : results;
}

/** One after the other. GraphQL section 6.2.2. */
export async function runSerially(run: Run, fields: readonly Field[]): Promise<Data | Error> {
  let results: Data = {};
  for (const field of fields) {
    const value = await runField(run, field, undefined, undefined);
    if (value instanceof Error) return value;
    results = { ...results, [field.key]: value };
  }
  return results;
}

function ignoreProperties(fields: readonly Field[], source: unknown): void {
  for (const { definition } of fields) {
    if (!definition.resolve && hasProperties(source)) {
      ignore(Object.getOwnPropertyDescriptor(source, definition.name)?.value);
    }
  }
}

function runField(run: Run, field: Field, source: unknown, prev: Path | undefined): unknown {
  const { resolve, name, type } = field.definition;
  let path: Path | undefined;
  try {
    // Text is its own result: most fields end here.
    const property = !resolve && hasProperties(source) ? source[name] : undefined;
    if (field.isText && typeof property === 'string') return property;
    path = { prev, key: field.key, typename: field.parent.name };
    return completeAt(run, field, type, callResolver(run, field, source, property, path), path);
  } catch (error) {
    path ??= { prev, key: field.key, typename: field.parent.name };
    return bubble(run, type, path, failureAt(path, field, error));
  }
}

/** The value of a field, or of an item of its list: completed, `null` with an error, or a failure of what is around it. */
function completeAt(run: Run, field: Field, type: GraphQLOutputType, given: unknown, path: Path): unknown {
  const fail = (error: unknown): unknown => bubble(run, type, path, failureAt(path, field, error));
  try {
    if (isThenable(given)) return settle(given, (value) => completeAt(run, field, type, value, path), fail);
    return bubble(run, type, path, complete(run, field, type, given, path));
  } catch (error) {
    ignore(given);
    return fail(error);
  }
}

/** Goes on with what a host has returned: at once, or when a promise has settled. */
function after(field: Field, path: Path, given: unknown, then: (value: unknown) => unknown): unknown {
  return isThenable(given) ? settle(given, then, (error) => failureAt(path, field, error)) : then(given);
}

/** A failure ends where `null` is allowed; below a place that is `null` already it counts no more. GraphQL section 6.4.4. */
function bubble(run: Run, type: GraphQLOutputType, path: Path, value: unknown): unknown {
  if (value instanceof Promise && !isNonNullType(type)) return value.then((done) => bubble(run, type, path, done));
  if (!(value instanceof Error) || isNonNullType(type)) return value;
  for (let place: Path | undefined = path; place; place = place.prev) if (run.errors.has(place)) return null;
  run.errors.set(path, value);
  return null;
}

/** GraphQL section 6.4.3. What it throws itself is no `GraphQLError`, which would be for the caller to read. */
function complete(run: Run, field: Field, type: GraphQLOutputType, value: unknown, path: Path): unknown {
  if (value instanceof Error) throw value;
  if (isNonNullType(type)) {
    const completed = complete(run, field, type.ofType, value, path);
    if (completed !== null) return completed;
    throw new Error(`Cannot return null for non-nullable field ${nameOf(field)}.`);
  }
  if (value === undefined || value === null) return null;
  if (isListType(type)) return completeList(run, field, type.ofType, value, path);
  if (isLeafType(type)) return after(field, path, serialize(type, value), (leaf) => leaf);
  if (isObjectType(type)) return completeObject(run, field, type, value, path);
  const name = (type.resolveType ?? defaultTypeResolver)(value, run.context, infoOf(run, field, path), type);
  return after(field, path, name, (known) =>
    completeObject(run, field, possibleType(run, field, type, known), value, path),
  );
}

function completeList(run: Run, field: Field, type: GraphQLOutputType, values: unknown, path: Path): unknown {
  const items: unknown[] = [];
  let failure: Error | undefined;
  const add = (given: unknown): void => {
    // Items after a failed one are not completed, but they may be promises that reject.
    if (failure) return ignore(given);
    const item = completeAt(run, field, type, given, { prev: path, key: items.length, typename: undefined });
    if (item instanceof Error) failure = item;
    else items.push(item);
  };
  const isWanted = (given: unknown): boolean => {
    add(given);
    run.lifetime.throwIfAborted();
    return !failure;
  };
  const end = (): unknown => failure ?? (items.some((item) => item instanceof Promise) ? gather(items) : items);
  const fail = (error: unknown): unknown => failure ?? failureAt(path, field, error);
  if (isAsyncIterable(values)) return settle(readWhile(isWanted, values), end, fail);
  if (!isIterable(values)) throw new Error(`${nameOf(field)} must be a list, not ${typeof values}`);
  try {
    for (const given of values) add(given);
    return end();
  } catch (error) {
    return fail(error);
  }
}

async function readWhile(isWanted: (given: unknown) => boolean, values: AsyncIterable<unknown>): Promise<void> {
  const iterator = values[Symbol.asyncIterator]();
  ignore(iterator);
  for await (const given of { [Symbol.asyncIterator]: () => iterator }) if (!isWanted(given)) return;
}

const isAsyncIterable = (values: unknown): values is AsyncIterable<unknown> =>
  typeof values === 'object' && values !== null && Symbol.asyncIterator in values;
const isIterable = (values: unknown): values is Iterable<unknown> =>
  typeof values === 'object' && values !== null && Symbol.iterator in values;

function serialize(type: GraphQLLeafType, value: unknown): unknown {
  if (Array.isArray(value)) ignore(value);
  try {
    const serialized: unknown = type.serialize(value);
    if (serialized !== undefined && serialized !== null) return serialized;
  } catch (error) {
    throw error instanceof GraphQLError ? new Error(error.message) : error;
  }
  throw new Error(`${type.name}.serialize() must return a value, not null or undefined`);
}

function completeObject(run: Run, field: Field, type: GraphQLObjectType, value: unknown, path: Path): unknown {
  if (!type.isTypeOf) return runFields(run, fieldsOf(run, field, type), value, path);
  return after(field, path, type.isTypeOf(value, run.context, infoOf(run, field, path)), (is) => {
    if (is) return runFields(run, fieldsOf(run, field, type), value, path);
    ignore(value);
    throw new Error(`${nameOf(field)} must be a ${type.name}, but its isTypeOf says no`);
  });
}

function possibleType({ plan }: Run, field: Field, type: GraphQLAbstractType, name: unknown): GraphQLObjectType {
  const found = typeof name === 'string' ? plan.schema.getType(name) : undefined;
  if (isObjectType(found) && plan.schema.isSubType(type, found)) return found;
  const what = typeof name === 'string' ? `is ${JSON.stringify(name)}` : 'is unknown';
  throw new Error(
    `the type of ${nameOf(field)} ${what}; it must be a type of ${type.name}: set __typename or __resolveType`,
  );
}

const nameOf = ({ parent, definition }: Field): string => `${parent.name}.${definition.name}`;
