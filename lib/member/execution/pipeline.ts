import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  validate as validateWith,
} from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { requireScopes } from '../../bearer/guard.ts';
import type { MemberApiLimits } from '../../contracts/member-api.ts';
import { InvalidRequest, OAuthError, ServerError } from '../../protocol/errors.ts';
import type { OnFault } from '../../runtime/events.ts';
import { checkNodes } from '../limits/cost.ts';
import { limitRule, parseWithin } from '../limits/rules.ts';
import { guardResolvers } from '../scopes/guard-resolvers.ts';
import type { FieldScopes } from '../scopes/guarded-fields.ts';
import { requiredScopes } from '../scopes/required-scopes.ts';
import { executorOf } from '../executor/execute.ts';
import { Operation, type Parameters } from './operation.ts';
import { type Analysis, createQueryCache } from './query-cache.ts';
import type { CallContext } from './query-host.ts';

interface PipelineOptions {
  readonly schema: GraphQLSchema;
  readonly scopesOf: FieldScopes;
  readonly limits: MemberApiLimits;
  readonly introspection: boolean;
  readonly onFault: OnFault;
}

export interface Pipeline {
  /**
   * Runs an operation, or returns why it is not run.
   *
   * @throws InsufficientScope before anything is run
   */
  run(parameters: Parameters, context: CallContext): Promise<ExecutionResult>;
  /** The scopes that an operation requires; none if it cannot be parsed or selected. */
  scopesOf(parameters: Parameters): string[];
}

/**
 * Yoga's validation and our executor, with limits, scopes, masked errors, and a bounded cache that all schools share.
 * Specification: Member API.
 */
export function createPipeline(options: PipelineOptions): Pipeline {
  const { schema, scopesOf, limits, introspection, onFault } = options;
  guardResolvers(schema, scopesOf);
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

  const runOrRefuse = async (parameters: Parameters, context: CallContext): Promise<ExecutionResult> => {
    const prepared = orProblem(() => prepare(parameters.query));
    if (prepared instanceof GraphQLError) return { errors: [withCode(prepared, 'GRAPHQL_PARSE_FAILED')] };
    const { document, problems, analyses, execute } = prepared;
    if (problems.length > 0) return { errors: problems };
    const { operationName, variables } = parameters;
    const analysis = analyses.get(operationName) ?? analyze(options, document, parameters);
    if (!analysis.depends) analyses.set(operationName, analysis);
    const { operation, scopes } = analysis;
    if (operation instanceof GraphQLError) return { errors: [operation] };
    requireScopes(context.access, scopes);
    const { data, errors } = await execute(operation, variables, context, context.deadline);
    const masked = errors?.map((error) => maskError(error, onFault));
    if (data === undefined) return { errors: masked?.map((error) => withCode(error, 'BAD_USER_INPUT')) ?? [] };
    return masked ? { errors: masked, data } : { data };
  };

  const runWithoutSuggestions: Pipeline['run'] = async (parameters, context) => {
    const result = await runOrRefuse(parameters, context);
    if (result.data === undefined) result.errors?.forEach(withoutSuggestion);
    return result;
  };

  return {
    run: introspection ? runOrRefuse : runWithoutSuggestions,

    scopesOf(parameters) {
      const document = orProblem(() => parseWithin(parameters.query, limits.tokens));
      const operation = document instanceof GraphQLError ? undefined : Operation.of(document, parameters);
      return operation ? [...requiredScopes(schema, scopesOf, operation)] : [];
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
function analyze(options: PipelineOptions, document: DocumentNode, parameters: Parameters): Analysis {
  const { schema, scopesOf, limits } = options;
  const operation = Operation.of(document, parameters);
  if (!operation) return { operation: noOperation(parameters), scopes: [], depends: true };
  const problem = orProblem(() => checkNodes(schema, operation, limits.nodes));
  const scopes = problem ? [] : [...requiredScopes(schema, scopesOf, operation)];
  return { operation: problem ?? operation.definition, scopes, depends: operation.readVariables };
}

function noOperation({ operationName }: Parameters): GraphQLError {
  const message =
    operationName === undefined
      ? 'operationName must name one of the operations in the query'
      : `the query has no operation named ${JSON.stringify(operationName)}`;
  return new GraphQLError(message, { extensions: { code: 'OPERATION_RESOLUTION_FAILURE' } });
}

function orProblem<T>(step: () => T): T | GraphQLError {
  try {
    return step();
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}

function withCode(error: GraphQLError, code: string): GraphQLError {
  error.extensions['code'] ??= code;
  return error;
}

/** A suggestion names parts of the schema, which a caller without introspection must not learn. */
function withoutSuggestion(error: GraphQLError): void {
  error.message = error.message.replace(/ Did you mean .*$/s, '');
}

/**
 * The error that is sent to the caller. A `GraphQLError` or `OAuthError` keeps its message and gets a code. Any other error
 * is masked and reported by the event `fault`.
 */
function maskError(error: unknown, onFault: OnFault): GraphQLError {
  const cause = causeOf(error);
  const place = error instanceof GraphQLError ? error : undefined;
  if (cause instanceof GraphQLError) return place ?? cause;
  if (cause instanceof OAuthError) {
    return at(place, cause.message, cause instanceof InvalidRequest ? 'BAD_USER_INPUT' : cause.error.toUpperCase());
  }
  onFault(`the Member API failed${place?.path ? ` at ${place.path.join('.')}` : ''}`, cause);
  return at(place, new ServerError().message, 'INTERNAL_SERVER_ERROR');
}

function causeOf(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError !== undefined ? causeOf(error.originalError) : error;
}

function at(place: GraphQLError | undefined, message: string, code: string): GraphQLError {
  const { nodes, source, positions, path } = place ?? {};
  return new GraphQLError(message, { nodes, source, positions, path, extensions: { code } });
}
