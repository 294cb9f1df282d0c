import {
  type DocumentNode,
  getVariableValues,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import type { Lifetime, Run } from './call.ts';
import { type Data, runFields, runSerially } from './fields.ts';
import { fieldsOf, type Plan } from './selections.ts';

export type { Lifetime } from './call.ts';

/** By name, before coercion. */
export type Inputs = Readonly<Record<string, unknown>>;

/** Before errors are masked. Without `data` nothing was run. */
export interface Outcome {
  readonly data?: Data | null;
  readonly errors?: readonly Error[];
}

export type Execute = (
  operation: OperationDefinitionNode,
  variables: Inputs,
  context: unknown,
  lifetime: Lifetime,
) => Outcome | Promise<Outcome>;

/**
 * Prepares a valid document. At most `kept` fields of its selections are kept for the next run: a field counts for each type
 * that has it, and wherever its fragment is spread.
 */
export function executorOf(schema: GraphQLSchema, document: DocumentNode, kept: number): Execute {
  const fragments = Object.fromEntries(
    document.definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [])),
  );
  // What a directive includes may depend on variables.
  const isStatic = document.loc?.source.body.includes('@') === false;
  const plans = new Map<OperationDefinitionNode, Plan>();
  let size = 0;
  const grew = (fields: number): void => {
    size += fields;
    if (size <= kept) return;
    plans.clear();
    size = 0;
  };
  return (operation, variables, context, lifetime) => {
    const known = plans.get(operation);
    if (known) return run(known, context, lifetime, variables);
    const plan = { schema, operation, fragments, grew, root: { nodes: [operation], fields: new Map() } };
    if (isStatic) plans.set(operation, plan);
    return run(plan, context, lifetime, variables);
  };
}

/** GraphQL section 6. */
function run(plan: Plan, context: unknown, lifetime: Lifetime, inputs: Inputs): Outcome | Promise<Outcome> {
  const { schema, operation } = plan;
  const read = getVariableValues(schema, operation.variableDefinitions ?? [], inputs, { maxErrors: 50 });
  if (read.errors) return { errors: read.errors };
  // graphql 16 has another name for them.
  const variables = read.variableValues ?? Reflect.get(read, 'coerced');
  const errors: Run['errors'] = new Map();
  const result = (outcome: Data | Error): Outcome => {
    if (outcome instanceof Error) errors.set(undefined, outcome);
    const data = outcome instanceof Error ? null : outcome;
    return errors.size > 0 ? { errors: [...errors.values()], data } : { data };
  };
  try {
    const type = schema.getRootType(operation.operation);
    if (!type) throw new GraphQLError(`the schema has no ${operation.operation}`, { nodes: operation });
    const current = { plan, context, lifetime, variables, errors };
    const fields = fieldsOf(current, plan.root, type);
    if (operation.operation === OperationTypeNode.MUTATION) return runSerially(current, fields).then(result);
    const data = runFields(current, fields, undefined, undefined);
    return data instanceof Promise ? data.then(result) : result(data);
  } catch (error) {
    if (error instanceof GraphQLError) return result(error);
    throw error;
  }
}
