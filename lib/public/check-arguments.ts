import type * as z from 'zod';
import { brief } from '../host/check-returns.ts';
import { isSite } from '../host/site-argument.ts';
import { schoolAt } from '../host/school-at.ts';
import type { SiteRegister } from '../host/site-finder.ts';
import type { Arguments, ArgumentsOf } from '../kernel/arguments.ts';
import type { Site } from '../host/school-platform.ts';
import { illFormedAt, wellFormedDemand } from '../kernel/well-formed.ts';
import { kindOf, optionError, parse, pathText, unknownOption, valueAt } from '../kernel/validate.ts';
import type { TakingOrigins } from '../host/taking-origins.ts';

/** A function that rejects with a `TypeError` if it is called with a wrong argument. */
export function checked<A extends unknown[], R>(
  name: string,
  args: Arguments,
  call: (...given: A) => Promise<R>,
  noteSite?: (site: Site) => void,
): (...given: A) => Promise<R> {
  const schemas = Object.entries(args);
  return async (...given) => {
    for (const [i, [argument, schema]] of schemas.entries()) checkArgument(name, argument, schema, given[i]);
    if (isSite(given[0])) noteSite?.(given[0]);
    return call(...given);
  };
}

/** Methods whose first argument is a school. */
export function checkedMethods<T extends object>(
  name: string,
  methods: T,
  args: ArgumentsOf<T>,
  noteSite: (site: Site) => void,
): T {
  const all = { ...methods };
  for (const [method, row] of Object.entries<Arguments>(args)) {
    const call: unknown = Reflect.get(methods, method);
    if (typeof call === 'function')
      Reflect.set(all, method, checked(`${name}.${method}`, row, call.bind(methods), noteSite));
  }
  return all;
}

/** Puts checks before methods whose first argument is a school, and finds the school of an origin. A method without a row is internal, and left out. */
export function takingOrigins<T extends object>(
  name: string,
  methods: T,
  args: ArgumentsOf<T>,
  findSite: SiteRegister,
): TakingOrigins<T>;
export function takingOrigins(
  name: string,
  methods: object,
  args: Readonly<Record<string, Arguments>>,
  findSite: SiteRegister,
): object {
  const all = {};
  for (const [method, row] of Object.entries(args)) {
    const call: unknown = Reflect.get(methods, method);
    if (typeof call !== 'function') continue;
    const path = `${name}.${method}`;
    const atSchool = async (school: Site | string, ...rest: unknown[]): Promise<unknown> =>
      Reflect.apply(call, methods, [await schoolAt(findSite, school, `${path}.site`), ...rest]);
    Reflect.set(all, method, checked(path, row, atSchool, findSite.note));
  }
  return all;
}

/** Messages show only the type of a wrong argument, since it may hold a credential; if its schema has `isShown`, they show the value. */
function checkArgument(name: string, argument: string, schema: z.ZodType, given: unknown): void {
  const { problem } = parse(schema, given);
  if (!problem) return checkText(name, argument, given);
  const { path, demand, known } = problem;
  const start = argument === '' ? name : `${name}.${argument}`;
  if (known) throw unknownOption(path, known, start);
  const value = valueAt(given, path);
  const text = schema.meta()?.['isShown'] === true ? brief(value) : kindOf(value);
  // What to do comes last.
  const [rule, ...advice] = demand.split('; ');
  throw optionError(pathText(path, start), [`${rule}, not ${text}`, ...advice].join('; '));
}

/** `isSite` looks at what is used of a school, a token is looked up by its digest, and the body of a request is explained as it is refused. */
const notChecked = ['site', 'token', 'body'];

/** Stores take no other text. */
function checkText(name: string, argument: string, given: unknown): void {
  const at = notChecked.includes(argument) ? undefined : illFormedAt(given);
  if (at) throw optionError(pathText(at, argument === '' ? name : `${name}.${argument}`), wellFormedDemand);
}
