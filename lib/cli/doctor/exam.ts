import type { JsonMembers } from '../../kernel/json.ts';
import type { Mark } from '../output.ts';
import type { Probe } from './probe.ts';

/** One line of the report. */
export interface Check {
  readonly id: string;
  readonly mark: Mark;
  readonly text: string;
  readonly fix?: string | undefined;
}

export interface Exam {
  readonly origin: string;
  readonly probe: Probe;
  /** Its authorization-server metadata. */
  readonly server: JsonMembers;
  /** The addresses of its protected resources. */
  readonly resources: readonly string[];
  /** Whether a client may be registered. */
  readonly write: boolean;
  /** Milliseconds of each request so far. */
  readonly times: number[];
  /** What was found so far. */
  readonly checks: readonly Check[];
}

/** Requests at once, over as many connections, after which each process behind a load balancer has most likely had one. */
export const manyRequests = 8;

export type Problem = string | false | undefined;

/** A check that is fine, or is an error with what is wrong. */
export function verdict(id: string, wrong: Problem, right: string, fix: string): Check {
  return wrong ? { id, mark: 'error', text: wrong, fix } : { id, mark: 'ok', text: right };
}

/** A verdict on one thing, whose name both texts begin with. */
export function verdictOn(thing: string, id: string, wrong: Problem, right: string, fix: string): Check {
  return verdict(id, wrong && `${thing}: ${wrong}`, `${thing} ${right}`, fix);
}

export function firstOf(...problems: readonly Problem[]): Problem {
  return problems.find(Boolean);
}
