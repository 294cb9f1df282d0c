import type { TakingOrigins } from '../host/taking-origins.ts';
import type { Arguments, ArgumentsOf } from '../kernel/arguments.ts';

/** Puts a check of every argument before the methods of one member of `Campus`. */
export type CheckMethods = <T extends object>(name: string, methods: T, args: ArgumentsOf<T>) => T;

/** The same for methods that take a school or its origin. */
export type CheckOfSchools = <T extends object>(name: string, methods: T, args: ArgumentsOf<T>) => TakingOrigins<T>;

/** Puts a check of every argument before one method of `Campus`. */
export type CheckMethod = <A extends unknown[], R>(
  name: string,
  args: Arguments,
  call: (...given: A) => Promise<R>,
) => (...given: A) => Promise<R>;

/** Checks the arguments of methods. */
export interface Checks {
  readonly methods: CheckMethods;
  readonly ofSchools: CheckOfSchools;
  readonly method: CheckMethod;
}
