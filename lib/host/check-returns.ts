import type * as z from 'zod';
import { kindOf, parse, pathText, valueAt } from '../kernel/validate.ts';

/** A message has only the start of a longer text. */
const maxShown = 80;

/** Characters that hide, reorder or control text where a message is shown. */
const unseen = /[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A value for a message, short and escaped. Only the kind of an object is shown, because it can hold secrets. */
export function brief(value: unknown): string {
  if (typeof value === 'string') {
    const text = JSON.stringify(value.slice(0, maxShown));
    const escaped = text.replace(unseen, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
    return value.length > maxShown ? `${escaped}…` : escaped;
  }
  return ['object', 'function'].includes(typeof value) ? kindOf(value) : String(value);
}

/**
 * The error of a function of the host that returned what it must not. It names the function, the member and its value, and the rule.
 *
 * @param member - empty for the whole value, which is not shown if it is text: it can be a credential, or a page
 */
export function wrongReturn(what: string, member: string, value: unknown, rule: string): TypeError {
  const text = typeof value === 'string' && member === '' ? kindOf(value) : brief(value);
  return new TypeError(`${what} returned ${member === '' ? text : `${member}: ${text}`}; it must ${rule}`);
}

/** Checks what a function of the host returned, and passes it on as it is. @throws TypeError */
export function checkReturn<T>(what: string, schema: z.ZodType, returned: T): T {
  readReturn(what, schema, returned);
  return returned;
}

/** The same, completed by the schema. */
export function readReturn<T>(what: string, schema: z.ZodType<T>, returned: unknown): T {
  const { value, problem } = parse(schema, returned);
  if (!problem) return value;
  const { path, known } = problem;
  const demand = known ? `have no members but ${known.join(', ')}` : problem.demand;
  throw wrongReturn(what, pathText(path), valueAt(returned, path), demand);
}
