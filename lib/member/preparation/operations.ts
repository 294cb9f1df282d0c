import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  validate as validateWith,
} from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { requireScopes } from '../../core/bearer/guard.ts';
import { honouring } from '../../core/bearer/verified-token.ts';
import type { VerifiedToken } from '../../core/clients/client.ts';
import type { MemberApiLimits } from '../../plugin-contract/member-api.ts';
import { executorOf } from '../executor/execute.ts';
import { checkNodes } from '../limits/cost.ts';
import { limitRule, parseWithin } from '../limits/rules.ts';
import type { FieldScopes } from '../scopes/guarded-fields.ts';
import { requiredScopes } from '../scopes/required-scopes.ts';
import { withCode } from '../request/masking.ts';
import { Operation, type Parameters } from '../request/operation.ts';
import { type Analysis, createQueryCache, type PreparedQuery } from './query-cache.ts';

interface OperationsOptions {
  readonly schema: GraphQLSchema;
  readonly scopesOf: FieldScopes;
  readonly limits: MemberApiLimits;
  readonly introspection: boolean;
}

/** What happens to every operation before it is run. */
export interface Operations {
  /**
   * Parses and validates, with all limits of a document.
   *
   * @throws GraphQLError if it cannot be parsed
   */
  prepare(query: string): PreparedQuery;
  /**
   * The operation that may be run with this token, or why it is not run.
   *
   * @throws InsufficientScope
   */
  admit(prepared: PreparedQuery, parameters: Parameters, token: VerifiedToken): OperationDefinitionNode | GraphQLError;
  /** The scopes that an operation requires; none if it cannot be parsed or selected. */
  scopesOf(parameters: Parameters): string[];
}

/** Yoga's validation with our limits and scopes, and a bounded cache that all schools share. Specification: Member API. */
export function createOperations(options: OperationsOptions): Operations {
  const { schema, scopesOf, limits, introspection } = options;
  const validate = yogaValidation(schema, introspection);
  const ownRules = [limitRule(limits)];
  const prepare = createQueryCache({
    compile: (document, fields) => executorOf(schema, document, fields),
    parse: (query) => parseWithin(query, limits.tokens),
    validate: (document) => {
      // The limits come first: some of graphql's rules compare all pairs of fields.
      const broken = validateWith(schema, document, ownRules);
      return broken.length > 0 ? broken : validate(schema, document);
    },
  });
  return {
    prepare(query) {
      try {
        return prepare(query);
      } catch (error) {
        throw error instanceof GraphQLError ? withCode(error, 'GRAPHQL_PARSE_FAILED') : error;
      }
    },

    admit({ document, analyses }, parameters, token) {
      const { operationName } = parameters;
      const analysis = analyses.get(operationName) ?? analyze(options, document, parameters);
      if (!analysis.depends) analyses.set(operationName, analysis);
      const { operation, required } = analysis;
      if (operation instanceof GraphQLError) return operation;
      for (const { honours, scopes } of required) requireScopes(honouring(token, honours), scopes);
      return operation;
    },

    scopesOf(parameters) {
      const document = orProblem(() => parseWithin(parameters.query, limits.tokens));
      const operation = document instanceof GraphQLError ? undefined : Operation.of(document, parameters);
      const required = operation ? requiredScopes(schema, scopesOf, operation) : [];
      return [...new Set(required.flatMap(({ scopes }) => scopes))];
    },
  };
}

/** Nothing in it depends on the request, so its hooks for each request run once. */
function yogaValidation(schema: GraphQLSchema, introspection: boolean) {
  const rule: Plugin = { onValidate: ({ addValidationRule }) => addValidationRule(NoSchemaIntrospectionCustomRule) };
  const plugins = introspection ? [] : [rule];
  const options = { schema, plugins, logging: false, graphiql: false, parserAndValidationCache: false };
  return createYoga(options).getEnveloped({}).validate;
}

/** Computes the cost and the required scopes of an operation before it is run. */
function analyze(options: OperationsOptions, document: DocumentNode, parameters: Parameters): Analysis {
  const { schema, scopesOf, limits } = options;
  const operation = Operation.of(document, parameters);
  if (!operation) return { operation: noOperation(parameters), required: [], depends: true };
  const problem = orProblem(() => checkNodes(schema, operation, limits.nodes));
  const required = problem ? [] : requiredScopes(schema, scopesOf, operation);
  return { operation: problem ?? operation.definition, required, depends: operation.readVariables };
}

function noOperation({ operationName }: Parameters): GraphQLError {
  const message =
    operationName === undefined
      ? 'operationName must name one of the operations in the query'
      : `the query has no operation named ${JSON.stringify(operationName)}`;
  return new GraphQLError(message, { extensions: { code: 'OPERATION_RESOLUTION_FAILURE' } });
}

/** What a step returns, or the `GraphQLError` that it throws. */
export function orProblem<T>(step: () => T): T | GraphQLError {
  try {
    return step();
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}
