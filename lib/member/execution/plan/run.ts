import {
  GraphQLError,
  type GraphQLLeafType,
  type GraphQLOutputType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';
import { isThenable } from '../../../host/faults.ts';
import type { CallContext } from '../query-host.ts';
import { callResolver, propertyOf, type Run, variablesOf } from './call.ts';
import { failed, type Path } from './errors.ts';
import type { ObjectPlan, Plan, PlannedField } from './plan.ts';

/** A result that has data, if only `null`. */
export interface PlannedResult {
  readonly errors?: GraphQLError[];
  readonly data: Record<string, unknown> | null;
}

/** Runs a plan as the standard executor runs its document; `undefined` for variables that it must reject. GraphQL section 6. */
export function runPlan(
  plan: Plan,
  inputs: Readonly<Record<string, unknown>>,
  context: CallContext,
): PlannedResult | Promise<PlannedResult> | undefined {
  const variables = variablesOf(plan, inputs);
  if (!variables) return undefined;
  const run: Run = { plan, context, variables, errors: [] };
  const result = (data: PlannedResult['data']): PlannedResult =>
    run.errors.length > 0 ? { errors: run.errors, data } : { data };
  const refused = (error: unknown): PlannedResult => {
    run.errors.push(error instanceof GraphQLError ? error : new GraphQLError(String(error)));
    return result(null);
  };
  try {
    const data = runFields(run, plan.root, undefined, undefined);
    return data instanceof Promise ? data.then(result, refused) : result(data);
  } catch (error) {
    return refused(error);
  }
}

type Fields = Record<string, unknown>;

function runFields(
  run: Run,
  { fields }: ObjectPlan,
  source: unknown,
  path: Path | undefined,
): Fields | Promise<Fields> {
  const results: Fields = {};
  const waiting: Promise<void>[] = [];
  const keep = async (value: PromiseLike<unknown>, key: string): Promise<void> => {
    results[key] = await value;
  };
  try {
    for (const field of fields) {
      const { key } = field;
      const property = propertyOf(source, field);
      // Text is its own result: most fields end here.
      const isDone = field.isText && typeof property === 'string';
      const value = isDone ? property : runField(run, field, source, property, pathOf(field, path));
      results[key] = value;
      if (isThenable(value)) waiting.push(keep(value, key));
    }
  } catch (error) {
    if (waiting.length === 0) throw error;
    const rethrow = (): never => {
      throw error;
    };
    return Promise.all(waiting).then(rethrow, rethrow);
  }
  return waiting.length === 0 ? results : Promise.all(waiting).then(() => results);
}

function pathOf({ key, parent }: PlannedField, prev: Path | undefined): Path {
  return { prev, key, typename: parent.name };
}

function runField(run: Run, field: PlannedField, source: unknown, property: unknown, path: Path): unknown {
  const { definition } = field;
  const { type } = definition;
  const fail = (error: unknown): null => {
    const all: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
    for (const each of all) failed(run.errors, each, field, path, type);
    return null;
  };
  try {
    const result = callResolver(run, field, source, property, path);
    const completed = isThenable(result)
      ? result.then((value) => complete(run, field, type, value, path))
      : complete(run, field, type, result, path);
    return isThenable(completed) ? completed.then(undefined, fail) : completed;
  } catch (error) {
    return fail(error);
  }
}

/** GraphQL section 6.4.3. */
function complete(run: Run, field: PlannedField, type: GraphQLOutputType, value: unknown, path: Path): unknown {
  if (value instanceof Error) throw value;
  if (isNonNullType(type)) {
    const completed = complete(run, field, type.ofType, value, path);
    if (completed !== null) return completed;
    throw new Error(`Cannot return null for non-nullable field ${field.parent.name}.${field.definition.name}.`);
  }
  if (value === undefined || value === null) return null;
  if (isListType(type)) return completeList(run, field, type.ofType, value, path);
  if (isLeafType(type)) return completeLeaf(type, value);
  // Interfaces and unions have no plan.
  if (!field.object) throw new TypeError(`no plan for ${type.name}`);
  return runFields(run, field.object, value, path);
}

function completeList(run: Run, field: PlannedField, type: GraphQLOutputType, value: unknown, path: Path): unknown {
  if (typeof value === 'object' && value !== null && Symbol.asyncIterator in value) {
    return completeAsyncList(run, field, type, Object(value), path);
  }
  const where = `${field.parent.name}.${field.definition.name}`;
  const isIterable = typeof value === 'object' && value !== null && Symbol.iterator in value;
  if (!isIterable) throw new GraphQLError(`Expected Iterable, but did not find one for field "${where}".`);
  const items: unknown[] = [];
  let waits = false;
  for (const item of Array.from(Object(value))) {
    const completed = completeItem(run, field, type, item, { prev: path, key: items.length, typename: undefined });
    waits ||= isThenable(completed);
    items.push(completed);
  }
  return waits ? Promise.all(items) : items;
}

async function completeAsyncList(
  run: Run,
  field: PlannedField,
  type: GraphQLOutputType,
  values: AsyncIterable<unknown>,
  path: Path,
): Promise<unknown[]> {
  const items: unknown[] = [];
  const place = (): Path => ({ prev: path, key: items.length, typename: undefined });
  try {
    for await (const item of values) items.push(completeItem(run, field, type, item, place()));
  } catch (error) {
    items.push(failed(run.errors, error, field, place(), type));
  }
  return Promise.all(items);
}

function completeItem(run: Run, field: PlannedField, type: GraphQLOutputType, item: unknown, path: Path): unknown {
  const fail = (error: unknown): null => failed(run.errors, error, field, path, type);
  try {
    const completed = isThenable(item)
      ? item.then((value) => complete(run, field, type, value, path))
      : complete(run, field, type, item, path);
    return isThenable(completed) ? completed.then(undefined, fail) : completed;
  } catch (error) {
    return fail(error);
  }
}

function completeLeaf(type: GraphQLLeafType, value: unknown): unknown {
  const serialized = serialize(type, value);
  if (serialized !== undefined && serialized !== null) return serialized;
  throw new Error(`${type.name}.serialize() must return a value, not ${String(serialized)}`);
}

function serialize(type: GraphQLLeafType, value: unknown): unknown {
  try {
    return type.serialize(value);
  } catch (error) {
    // A scalar's complaint of a result is a fault, and no message for the caller.
    throw error instanceof GraphQLError ? new Error(error.message) : error;
  }
}
