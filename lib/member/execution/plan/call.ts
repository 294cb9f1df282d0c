import { getArgumentValues, getVariableValues, type GraphQLError, type GraphQLResolveInfo } from 'graphql';
import type { CallContext } from '../query-host.ts';
import type { Path } from './errors.ts';
import type { Plan, PlannedField } from './plan.ts';

type Variables = GraphQLResolveInfo['variableValues'];

/** One run of a plan. */
export interface Run {
  readonly plan: Plan;
  readonly context: CallContext;
  readonly variables: Variables;
  readonly errors: GraphQLError[];
}

/** `undefined` if an input does not fit. graphql 16 and 17 name the result differently. */
export function variablesOf(
  { schema, operation }: Plan,
  inputs: Readonly<Record<string, unknown>>,
): Variables | undefined {
  const read = getVariableValues(schema, operation.variableDefinitions ?? [], inputs);
  if (read.errors) return undefined;
  return read.variableValues ?? Reflect.get(read, 'coerced');
}

/** In place of a property that threw when it was read. */
class Thrown {
  readonly error: unknown;
  constructor(error: unknown) {
    this.error = error;
  }
}

/** The property of the source that a field without a resolver is. A getter can be costly, so it is read once. */
export function propertyOf(source: unknown, { definition: { resolve, name } }: PlannedField): unknown {
  if (resolve || (typeof source !== 'object' && typeof source !== 'function') || source === null) return undefined;
  try {
    return Reflect.get(source, name);
  } catch (error) {
    return new Thrown(error);
  }
}

/** What the resolver of a field returns, or `property`. GraphQL section 6.4.2. */
export function callResolver(run: Run, field: PlannedField, source: unknown, property: unknown, path: Path): unknown {
  const { resolve } = field.definition;
  if (resolve) return resolve(source, argumentsOf(run, field), run.context, infoOf(run, field, path));
  if (property instanceof Thrown) throw property.error;
  if (typeof property !== 'function') return property;
  return Reflect.apply(property, source, [argumentsOf(run, field), run.context, infoOf(run, field, path)]);
}

function argumentsOf({ variables }: Run, { constants, definition, node }: PlannedField): Record<string, unknown> {
  return constants ? { ...constants } : getArgumentValues(definition, node, variables);
}

function infoOf({ plan, variables }: Run, { definition, nodes, parent }: PlannedField, path: Path): GraphQLResolveInfo {
  return {
    fieldName: definition.name,
    fieldNodes: nodes,
    returnType: definition.type,
    parentType: parent,
    path,
    schema: plan.schema,
    fragments: plan.fragments,
    rootValue: undefined,
    operation: plan.operation,
    variableValues: variables,
    getAbortSignal: () => undefined,
    getAsyncHelpers: () => ({ promiseAll: Promise.all.bind(Promise), track: () => {} }),
  };
}
