import type { DeclaredBoundary, Only } from '../../../core/boundaries/boundary.ts';
import type { JsonMembers } from '../../../kernel/json.ts';
import { idPattern, maxChosen } from './limits.ts';

/** The parameter with which an app says to what it wants to be limited. RFC 9396 section 2. */
export const detailsParameter = 'authorization_details';

/** What an app asks for; what is wrong with it, as words that follow the name of the parameter. */
export function askedLimits(sent: unknown, declared: readonly DeclaredBoundary[]): Only | string {
  if (typeof sent !== 'string') return 'must be sent once';
  const details = parsed(sent);
  if (!Array.isArray(details)) return `must be a JSON array, for example ${example(declared)}`;
  const only: Record<string, readonly string[]> = {};
  for (const [i, detail] of details.entries()) {
    if (!isObject(detail)) return `[${i}] must be an object with type and identifiers`;
    const { type, identifiers, ...more } = detail;
    const unknown = Object.keys(more)[0];
    if (unknown !== undefined) return `[${i}] must have only type and identifiers, not ${JSON.stringify(unknown)}`;
    const boundary = declared.find((each) => each.type === type);
    if (!boundary) return `[${i}].type must be ${declared.map((each) => JSON.stringify(each.type)).join(' or ')}`;
    if (Object.hasOwn(only, boundary.type)) return `[${i}].type must be unique`;
    if (!isIds(identifiers)) return `[${i}].identifiers must be an array of 1 to ${maxChosen} ids`;
    only[boundary.type] = [...new Set(identifiers)];
  }
  return only;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is JsonMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isIds(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.length <= maxChosen && value.every(isId);
}

function isId(value: unknown): boolean {
  return typeof value === 'string' && idPattern.test(value);
}

function example([first]: readonly DeclaredBoundary[]): string {
  return JSON.stringify([{ type: first?.type ?? 'class', identifiers: ['7b'] }]);
}
