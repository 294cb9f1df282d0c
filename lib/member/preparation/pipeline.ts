import { type ExecutionResult, GraphQLError } from 'graphql';
import type { OnFault } from '../../observe/events.ts';
import type { Outcome } from '../executor/execute.ts';
import { maskError, withCode, withoutSuggestion } from '../request/masking.ts';
import type { Parameters } from '../request/operation.ts';
import { type Operations, orProblem } from './operations.ts';
import type { CallContext } from '../request/host-calls.ts';

interface PipelineOptions {
  readonly operations: Operations;
  readonly introspection: boolean;
  readonly onFault: OnFault;
}

/**
 * Runs an operation, or returns why it is not run.
 *
 * @throws InsufficientScope before anything is run
 */
export type Pipeline = (parameters: Parameters, context: CallContext) => Promise<ExecutionResult>;

/** An operation without plug-ins of the host: prepared, admitted and run, with errors masked. */
export function createPipeline({ operations, introspection, onFault }: PipelineOptions): Pipeline {
  const runOrRefuse: Pipeline = async (parameters, context) => {
    const prepared = orProblem(() => operations.prepare(parameters.query));
    if (prepared instanceof GraphQLError) return { errors: [prepared] };
    if (prepared.problems.length > 0) return { errors: prepared.problems };
    const operation = operations.admit(prepared, parameters, context.token);
    if (operation instanceof GraphQLError) return { errors: [operation] };
    const outcome = await prepared.execute(operation, parameters.variables, context, context.deadline);
    if (outcome.data === undefined) return refusedInputs(outcome, onFault);
    const errors = outcome.errors?.map((error) => maskError(error, onFault));
    return errors ? { errors, data: outcome.data } : { data: outcome.data };
  };
  if (introspection) return runOrRefuse;
  return async (parameters, context) => {
    const result = await runOrRefuse(parameters, context);
    if (result.data === undefined) result.errors?.forEach(withoutSuggestion);
    return result;
  };
}

/** Variables that do not fit: nothing was run. */
export function refusedInputs({ errors = [] }: Outcome, onFault: OnFault): ExecutionResult {
  return { errors: errors.map((error) => withCode(maskError(error, onFault), 'BAD_USER_INPUT')) };
}
