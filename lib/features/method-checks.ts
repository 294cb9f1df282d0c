import type { Arguments, ArgumentsOf } from '../kernel/arguments.ts';

/** Puts a check of every argument before the methods of one member of `Campus`. */
export type CheckMethods = <T extends object>(name: string, methods: T, args: ArgumentsOf<T>) => T;

/** Puts a check of every argument before one method of `Campus`. */
export type CheckMethod = <A extends unknown[], R>(
  name: string,
  args: Arguments,
  call: (...given: A) => Promise<R>,
) => (...given: A) => Promise<R>;

/** Checks the arguments of methods. */
export interface Checks {
  readonly methods: CheckMethods;
  readonly method: CheckMethod;
}
