import { type ExecutionResult, GraphQLError, type GraphQLSchema } from 'graphql';
import { createYoga, isAsyncIterable } from 'graphql-yoga';
import { requireScopes } from '../../bearer/guard.ts';
import type { MemberApiLimits } from '../../contracts/member-api.ts';
import type { OnFault } from '../../runtime/events.ts';
import { analyze } from './analysis.ts';
import type { CallContext } from './context.ts';
import { createQueryCache } from './query-cache.ts';
import { guardResolvers } from '../scopes/guard-resolvers.ts';
import { guardedFields } from '../scopes/guarded-fields.ts';
import { limitsPlugin, parseWithin } from '../limits/plugin.ts';
import { maskError } from './mask.ts';
import { Operation, type Parameters } from './operation.ts';
import { requiredScopes } from '../scopes/required-scopes.ts';

/** What the pipeline is made of. */
export interface PipelineOptions {
  readonly schema: GraphQLSchema;
  readonly limits: MemberApiLimits;
  readonly introspection: boolean;
  readonly onFault: OnFault;
}

/** Takes a request from its text to its result. */
export interface Pipeline {
  /**
   * Runs an operation, or answers why it is not run.
   *
   * @throws InsufficientScope before anything is run
   */
  run(parameters: Parameters, context: CallContext): Promise<ExecutionResult>;
  /** The scopes that an operation would take; none for one that cannot be told. */
  scopesOf(parameters: Parameters): string[];
}

/**
 * Yoga's pipeline, entered behind its HTTP part: parsing and validation with a bounded cache that all schools share, our
 * limits and scopes, and execution with masked errors. Specification: Member API.
 */
export function createPipeline({ schema, limits, introspection, onFault }: PipelineOptions): Pipeline {
  const rules = { schema, scopesOf: guardedFields(schema), nodes: limits.nodes };
  guardResolvers(schema, rules.scopesOf);
  // Nothing here hangs on the request, so the hooks that Yoga runs for each are run once.
  const { parse, validate, execute } = createYoga({
    schema,
    logging: false,
    graphiql: false,
    maskedErrors: { maskError: (error) => maskError(error, onFault) },
    parserAndValidationCache: false,
    plugins: [limitsPlugin(limits, introspection)],
  }).getEnveloped({});
  const prepare = createQueryCache({ parse, validate: (document) => validate(schema, document) });

  const answer = async (parameters: Parameters, context: CallContext): Promise<ExecutionResult> => {
    const prepared = orProblem(() => prepare(parameters.query));
    if (prepared instanceof GraphQLError) return { errors: [withCode(prepared, 'GRAPHQL_PARSE_FAILED')] };
    const { document, problems, analyses } = prepared;
    if (problems.length > 0) return { errors: problems };
    const { operationName, variables } = parameters;
    const analysis = analyses.get(operationName) ?? analyze(rules, document, parameters);
    if (!analysis.depends) analyses.set(operationName, analysis);
    if (analysis.problem) return { errors: [analysis.problem] };
    requireScopes(context.access, analysis.scopes);
    const result: ExecutionResult | AsyncIterable<ExecutionResult> = await execute({
      schema,
      document,
      contextValue: context,
      variableValues: variables,
      operationName,
    });
    if (isAsyncIterable(result)) throw new TypeError('an answer in parts was not asked for');
    if (result.data === undefined) result.errors?.forEach((error) => withCode(error, 'BAD_USER_INPUT'));
    return result;
  };

  return {
    async run(parameters, context) {
      const result = await answer(parameters, context);
      if (!introspection && result.data === undefined) result.errors?.forEach(withoutSuggestion);
      return result;
    },

    scopesOf(parameters) {
      const document = orProblem(() => parseWithin(parameters.query, limits.tokens));
      const operation = document instanceof GraphQLError ? undefined : Operation.of(document, parameters);
      return operation ? [...requiredScopes(schema, rules.scopesOf, operation)] : [];
    },
  };
}

/** What a step answers, or the caller's mistake that it found. */
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

/** Names of the schema that are like one in the query: who may not read the schema is not told them. */
function withoutSuggestion(error: GraphQLError): void {
  error.message = error.message.replace(/ Did you mean .*$/s, '');
}
