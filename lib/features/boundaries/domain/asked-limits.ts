import type { KoaContextWithOIDC } from 'oidc-provider';
import type { DeclaredBoundary, Only } from '../../../core/boundaries/boundary.ts';
import { isFirstParty } from '../../../core/clients/client-metadata.ts';
import type { AuthorizationStep } from '../../../engine/parameter-checks.ts';
import type { JsonMembers } from '../../../kernel/json.ts';
import { OAuthError } from '../../../kernel/errors.ts';
import { idPattern, maxCharacters, maxChosen } from './limits.ts';

/** The parameter with which a program says to what it wants to be limited. RFC 9396 section 2. */
export const detailsParameter = 'authorization_details';

/** A program may ask to be limited; the person decides. RFC 9396 section 5. */
export function detailsStep(declared: readonly DeclaredBoundary[]): AuthorizationStep {
  return {
    name: 'check what it asks to be limited to',
    parameter: detailsParameter,
    run: (ctx, sent) => check(ctx, sent),
  };

  function check({ oidc }: KoaContextWithOIDC, sent: unknown): void {
    if (sent === undefined) return;
    const problem = isFirstParty(oidc.client ?? {})
      ? 'must not be sent by an application of the platform itself: nobody is asked, so nothing is limited'
      : askedLimits(sent, declared);
    if (typeof problem === 'string')
      throw new OAuthError('invalid_authorization_details', `${detailsParameter} ${problem}`);
  }
}

/** What a program asks for; what is wrong with it, as words that follow the name of the parameter. */
export function askedLimits(sent: unknown, declared: readonly DeclaredBoundary[]): Only | string {
  if (typeof sent !== 'string') return 'must be sent once';
  if (sent.length > maxCharacters) return `must have at most ${maxCharacters} characters`;
  const details = parsed(sent);
  if (!Array.isArray(details)) return `must be a JSON array, for example ${example(declared)}`;
  const only: Record<string, readonly string[]> = {};
  for (const [i, detail] of details.entries()) {
    if (!isObject(detail)) return `[${i}] must be an object with type and identifiers`;
    const { type, identifiers, ...more } = detail;
    const unknown = Object.keys(more)[0];
    if (unknown !== undefined) return `[${i}] has the member ${JSON.stringify(unknown)}, which is unknown here`;
    const boundary = declared.find((each) => each.type === type);
    if (!boundary) return `[${i}].type must be ${declared.map((each) => JSON.stringify(each.type)).join(' or ')}`;
    if (Object.hasOwn(only, boundary.type)) return `[${i}].type must not be there twice`;
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
