import { getArgumentValues, type GraphQLResolveInfo, locatedError } from 'graphql';
import type { Field, Plan, Variables } from './selections.ts';
import { ignore } from './settle.ts';

/** How long an operation may run. An `AbortSignal` is made only when a resolver asks for it. */
export interface Lifetime {
  readonly signal: AbortSignal;
  throwIfAborted(): void;
}

export interface Run {
  readonly plan: Plan;
  /** What resolvers get as their context. The executor does not read it. */
  readonly context: unknown;
  readonly lifetime: Lifetime;
  readonly variables: Variables;
  /** By the place that is `null` for each; `undefined` is the whole result. */
  readonly errors: Map<Path | undefined, Error>;
}

export type Path = GraphQLResolveInfo['path'];

/** What the resolver of a field returns, or the property of its name. GraphQL section 6.4.2. */
export function callResolver(run: Run, field: Field, source: unknown, property: unknown, path: Path): unknown {
  const { resolve } = field.definition;
  if (resolve) return resolve(source, argumentsOf(run, field), run.context, infoOf(run, field, path));
  if (typeof property !== 'function') return property;
  return Reflect.apply(property, source, [argumentsOf(run, field), run.context, infoOf(run, field, path)]);
}

export function hasProperties(source: unknown): source is Readonly<Record<string, unknown>> {
  return (typeof source === 'object' && source !== null) || typeof source === 'function';
}

function argumentsOf({ variables }: Run, { constants, definition, nodes }: Field): Record<string, unknown> {
  return constants ? { ...constants } : getArgumentValues(definition, nodes[0], variables);
}

const asyncHelpers: ReturnType<GraphQLResolveInfo['getAsyncHelpers']> = {
  promiseAll: (values) => Promise.all(values),
  track: (values) => values.forEach(ignore),
};

export function infoOf({ plan, variables, lifetime }: Run, field: Field, path: Path): GraphQLResolveInfo {
  return {
    fieldName: field.definition.name,
    fieldNodes: field.nodes,
    returnType: field.definition.type,
    parentType: field.parent,
    path,
    schema: plan.schema,
    fragments: plan.fragments,
    rootValue: undefined,
    operation: plan.operation,
    variableValues: variables,
    getAbortSignal: () => lifetime.signal,
    getAsyncHelpers: () => asyncHelpers,
  };
}

/** What was thrown, with its place. Never throws, whatever was thrown. */
export function failureAt(path: Path, { nodes }: Field, thrown: unknown): Error {
  const keys: (string | number)[] = [];
  for (let at: Path | undefined = path; at; at = at.prev) keys.unshift(at.key);
  try {
    return locatedError(thrown, nodes, keys);
  } catch {
    return locatedError(new Error('a resolver has thrown a value that cannot be read'), nodes, keys);
  }
}
