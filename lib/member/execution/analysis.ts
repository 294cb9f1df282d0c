import { type DocumentNode, GraphQLError, type GraphQLSchema } from 'graphql';
import { checkNodes } from '../limits/cost.ts';
import type { FieldScopes } from '../scopes/guarded-fields.ts';
import { Operation, type Parameters } from './operation.ts';
import { requiredScopes } from '../scopes/required-scopes.ts';

/** What is known of an operation before it is run. */
export interface Analysis {
  /** Why it is not run, whoever asks. */
  readonly problem?: GraphQLError;
  /** What it takes. */
  readonly scopes: readonly string[];
  /** Whether the same operation with other variables might fare otherwise. */
  readonly depends: boolean;
}

/** What an analysis rests on. */
export interface AnalysisRules {
  readonly schema: GraphQLSchema;
  readonly scopesOf: FieldScopes;
  /** The most nodes that an operation may ask for. */
  readonly nodes: number;
}

/** Looks an operation of a valid document through: what it costs, and which scopes it takes. */
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
      ? 'operationName must say which of the operations is meant'
      : `there is no operation ${JSON.stringify(operationName)} in the query`;
  return new GraphQLError(message, { extensions: { code: 'OPERATION_RESOLUTION_FAILURE' } });
}
