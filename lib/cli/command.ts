import { parseArgs, type ParseArgsConfig } from 'node:util';
import { nearest } from '../kernel/misspelt.ts';
import type { Terminal } from './output.ts';

export interface Command {
  readonly help: string;
  /** Returns the exit code. @throws UsageError for a wrong command line */
  run(args: readonly string[], terminal: Terminal): Promise<number>;
}

/** The command line, or what it names, cannot be used. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What to do about an unknown name. */
export function instead(name: string, known: readonly string[], app: string): string {
  const meant = nearest(name, known);
  return meant === undefined ? `see ${app} --help` : `did you mean ${meant}?`;
}

export const off = { type: 'boolean', default: false } as const;

type Flags = NonNullable<ParseArgsConfig['options']>;

/** The command line behind the name of a command. @throws UsageError */
export function readLine<F extends Flags>(
  command: string,
  given: readonly string[],
  options: F,
): ReturnType<typeof parseArgs<{ args: string[]; allowPositionals: true; options: F }>> {
  const line = { args: [...given], allowPositionals: true, options } as const;
  const app = `campus-oidc ${command}`;
  for (const token of parseArgs({ ...line, strict: false, tokens: true }).tokens) {
    if (token.kind !== 'option' || Object.hasOwn(options, token.name)) continue;
    const flags = Object.keys(options).map((name) => `--${name}`);
    throw new UsageError(`there is no option ${token.rawName}; ${instead(token.rawName, flags, app)}`);
  }
  try {
    return parseArgs(line);
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}; see ${app} --help`);
  }
}

/** @throws UsageError */
export function originOf(given: string): string {
  const url = URL.parse(given);
  if (!url || !['https:', 'http:'].includes(url.protocol))
    throw new UsageError(`an origin must be like https://harbour.example, not ${given}`);
  if (`${url.pathname}${url.search}${url.hash}` !== '/')
    throw new UsageError(`an origin must not have a path; use ${url.origin}`);
  return url.origin;
}
