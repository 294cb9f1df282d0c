import { type DocumentNode, GraphQLError, type GraphQLSchema } from 'graphql';
import { checkNodes } from '../limits/cost.ts';
import type { FieldScopes } from '../scopes/guarded-fields.ts';
import { Operation, type Parameters } from './operation.ts';
import { requiredScopes } from '../scopes/required-scopes.ts';

/** The result of analyzing an operation before it is run. */
export interface Analysis {
  /** Why the operation is not run, with any token. */
  readonly problem?: GraphQLError;
  /** The scopes that it requires. */
  readonly scopes: readonly string[];
  /** Whether the result depends on the variables. */
  readonly depends: boolean;
}

export interface AnalysisRules {
  readonly schema: GraphQLSchema;
  readonly scopesOf: FieldScopes;
  /** Maximum number of nodes that an operation may request. */
  readonly nodes: number;
}

/** Computes the cost and the required scopes of an operation in a valid document. */
export function analyze(
  { schema, scopesOf, nodes }: AnalysisRules,
  document: DocumentNode,
  parameters: Parameters,
): Analysis {
  const operation = Operation.of(document, parameters);
  if (!operation) return { problem: noOperation(parameters), scopes: [], depends: true };
  try {
    checkNodes(schema, operation, nodes);
  } catch (problem) {
    if (!(problem instanceof GraphQLError)) throw problem;
    return { problem, scopes: [], depends: operation.readVariables };
  }
  const scopes = [...requiredScopes(schema, scopesOf, operation)];
  return { scopes, depends: operation.readVariables };
}

function noOperation({ operationName }: Parameters): GraphQLError {
  const message =
    operationName === undefined
      ? 'operationName must name one of the operations in the query'
      : `the query has no operation named ${JSON.stringify(operationName)}`;
  return new GraphQLError(message, { extensions: { code: 'OPERATION_RESOLUTION_FAILURE' } });
}
