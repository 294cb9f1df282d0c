import type * as z from 'zod';

/** The arguments of a method, in order, by name. Options that are the only argument have no name: `health.write`. */
export type Arguments = Readonly<Record<string, z.ZodType>>;
export type ArgumentsOf<T> = { readonly [K in keyof T]-?: Arguments };
