import type { Terminal } from './output.ts';

/** A command of `campus-oidc`. */
export interface Command {
  readonly help: string;
  /** Returns the exit code. Throws `UsageError`, or the `TypeError` of `parseArgs`, for a wrong command line. */
  run(args: readonly string[], terminal: Terminal): Promise<number>;
}

/** The command line, or what it names, cannot be used. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
