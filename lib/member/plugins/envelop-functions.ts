import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  print,
  type Source,
  specifiedRules,
  validate as validateWith,
  type ValidationRule,
} from 'graphql';
import { isObject } from '../../kernel/validate.ts';
import { type Operations, orProblem } from '../preparation/operations.ts';
import type { Parameters } from '../request/operation.ts';
import { refusedInputs } from '../preparation/pipeline.ts';
import type { PreparedQuery } from '../preparation/query-cache.ts';
import { type RequestState, requestOf } from './request-state.ts';

interface EngineOptions {
  readonly schema: GraphQLSchema;
  readonly operations: Operations;
}

/**
 * The functions that envelop calls between the hooks: documents, limits and scopes of the Member API, and our executor, whatever
 * document reaches them.
 */
export class Engine {
  readonly #schema: GraphQLSchema;
  readonly #operations: Operations;
  readonly #known = new WeakMap<DocumentNode, PreparedQuery>();
  readonly #running = new WeakSet<object>();

  constructor({ schema, operations }: EngineOptions) {
    this.#schema = schema;
    this.#operations = operations;
    refuseOtherExecutors(schema, this.#running);
  }

  readonly parse = (source: string | Source): DocumentNode => {
    const prepared = this.#operations.prepare(typeof source === 'string' ? source : source.body);
    const { document } = prepared;
    // Checks and plans are kept with it, so a plug-in must not change it.
    if (!this.#known.has(document)) freeze(document);
    this.#known.set(document, prepared);
    return document;
  };

  readonly validate = (
    _schema: GraphQLSchema,
    document: DocumentNode,
    rules: readonly ValidationRule[] = [],
  ): readonly GraphQLError[] => {
    const { problems, document: read } = this.#prepared(document);
    const added = rules.filter((rule) => !specifiedRules.includes(rule));
    return problems.length > 0 || added.length === 0 ? [...problems] : validateWith(this.#schema, read, added);
  };

  /**
   * Checks an operation before the hooks of its execution.
   *
   * @throws InsufficientScope
   */
  admit(args: ExecutionArgs): GraphQLError | undefined {
    const request = requestOf(args.contextValue);
    return this.#problem(() => this.#prepared(args.document), parametersIn(args), request);
  }

  /**
   * Checks the operation of a result that a plug-in had without execution.
   *
   * @throws InsufficientScope
   */
  admitResult(request: RequestState): GraphQLError | undefined {
    const { parameters, isAdmitted } = request;
    if (isAdmitted) return undefined;
    if (!parameters) throw new Error('a memberApi plug-in returned a result before the request was read');
    return this.#problem(() => this.#operations.prepare(parameters.query), parameters, request);
  }

  readonly execute = async (args: ExecutionArgs): Promise<ExecutionResult> => {
    if (args.schema !== this.#schema) throw replacedSchema();
    const request = requestOf(args.contextValue);
    const prepared = this.#prepared(args.document);
    const parameters = parametersIn(args);
    const operation = this.#admitted(prepared, parameters, request);
    if (operation instanceof GraphQLError) return { errors: [operation] };
    const context = Object(args.contextValue);
    this.#running.add(context);
    request.isExecuted = true;
    const { deadline, onFault } = request.context;
    const outcome = await prepared.execute(operation, parameters.variables, context, deadline);
    const { data, errors } = outcome;
    if (data === undefined) return refusedInputs(outcome, onFault);
    // They are masked when no hook can see them.
    return errors ? { errors: errors.map(located), data } : { data };
  };

  /** A document that a plug-in has parsed or changed is read again from its text, so that all limits apply to it. */
  #prepared(document: DocumentNode): PreparedQuery {
    const prepared = this.#known.get(document) ?? this.#operations.prepare(print(document));
    this.#known.set(document, prepared);
    return prepared;
  }

  #admitted(
    prepared: PreparedQuery,
    parameters: Parameters,
    request: RequestState,
  ): OperationDefinitionNode | GraphQLError {
    const [problem] = prepared.problems;
    if (problem) return problem;
    const operation = this.#operations.admit(prepared, parameters, request.context.token);
    request.isAdmitted = true;
    return operation;
  }

  #problem(prepare: () => PreparedQuery, parameters: Parameters, request: RequestState): GraphQLError | undefined {
    const operation = orProblem(() => this.#admitted(prepare(), parameters, request));
    return operation instanceof GraphQLError ? operation : undefined;
  }
}

export function replacedSchema(): TypeError {
  return new TypeError(
    'memberApi.plugins must not replace the schema; extend it with memberApi.typeDefs and resolvers',
  );
}

function parametersIn({ operationName, variableValues }: ExecutionArgs): Parameters {
  const variables = isObject(variableValues) ? variableValues : {};
  return { query: '', operationName: operationName ?? undefined, variables };
}

/** The executor makes every error of a field one with its place. */
function located(error: Error): GraphQLError {
  return error instanceof GraphQLError ? error : new GraphQLError(error.message, { originalError: error });
}

/** Resolvers may do what only our executor survives, so no operation begins in another one. */
function refuseOtherExecutors(schema: GraphQLSchema, running: WeakSet<object>): void {
  for (const root of [schema.getQueryType(), schema.getMutationType()]) {
    for (const field of Object.values(root?.getFields() ?? {})) {
      const { resolve } = field;
      field.resolve = (parent, args, context: object, info) => {
        if (running.has(context)) return resolve?.(parent, args, context, info);
        throw new Error('a memberApi plug-in has replaced the execute function; call the function that it was given');
      };
    }
  }
}

/** A syntax tree, without the tokens and the text that it comes from. */
function freeze(node: object): void {
  Object.freeze(node);
  for (const [name, value] of Object.entries(node)) {
    if (name !== 'loc' && typeof value === 'object' && value !== null && !Object.isFrozen(value)) freeze(value);
  }
}
