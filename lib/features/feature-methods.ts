import type { ArgumentsOf } from '../kernel/arguments.ts';

/** Puts a check of every argument before the methods of one member of `Campus`. */
export type CheckMethods = <T extends object>(name: string, methods: T, args: ArgumentsOf<T>) => T;
