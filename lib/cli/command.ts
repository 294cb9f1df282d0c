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

/** @throws UsageError */
export function originOf(given: string): string {
  const url = URL.parse(given);
  if (!url || !['https:', 'http:'].includes(url.protocol))
    throw new UsageError(`${given} is not an origin such as https://harbour.example`);
  if (`${url.pathname}${url.search}${url.hash}` !== '/')
    throw new UsageError(`a school has the whole origin: ${url.origin}, without a path`);
  return url.origin;
}
