import { UsageError } from './command.ts';

/** An error that a campus or a store of the host's module has thrown, as one line. A mistake in this package keeps its stack. */
export function failure(error: unknown, what = 'the store or the platform'): unknown {
  if (error instanceof UsageError || error instanceof TypeError) return error;
  const { status, message, cause, code }: Members = Object(error);
  // What a campus refuses is its question; what it cannot answer has a cause.
  if (typeof status === 'number' && status < 500) return new UsageError(String(message));
  const { message: reason = message, code: reasonCode = code }: Members = Object(cause);
  return new UsageError(`${what} failed: ${String(reason) || String(reasonCode)}`);
}

type Members = Readonly<Partial<Record<'status' | 'message' | 'cause' | 'code', unknown>>>;
