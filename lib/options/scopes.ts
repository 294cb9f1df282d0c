import * as z from 'zod';
import type { SomeTexts } from '../i18n/texts.ts';
import { plainText } from '../i18n/translations.ts';
import { group, list, type Shape, refuse, repeated, shown } from '../kernel/option-schemas.ts';
import {
  createScopeCatalogue,
  identityScopes,
  type ScopeCatalogue,
  scopeCatalogue,
  scopeMarks,
  type ScopeRow,
  type StandardScope,
} from '../core/scopes/scopes.ts';
import { optionError } from '../kernel/validate.ts';

const standard: ReadonlyMap<string, ScopeRow> = new Map(scopeCatalogue.map((row) => [row.scope, row]));

/** OpenID Connect Core section 11. */
const reserved = new Set(['offline_access']);

/** All scopes, with a space between them: they are in one request, one header and every registered client. */
const maxCharacters = 2000;

const tokenDemand = 'be 1 to 100 characters of printable ASCII, without a space, " and \\';

/** One line, the same as plain text, as an ICU message and in a document. */
function line(max: number): z.ZodType<string> {
  const demand = `be one line of 1 to ${max} characters, without { and }`;
  const isLine = (text: string): boolean =>
    text.trim() !== '' && text.length <= max && !/[\p{Cc}\p{Zl}\p{Zp}{}]/u.test(text);
  return z.string(demand).refine(isLine, demand);
}

const row: z.ZodType<ScopeRow> = group({
  scope: z
    .string(tokenDemand)
    .regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/, tokenDemand)
    .refine((scope) => !reserved.has(scope), {
      error: ({ input }) => `not be ${shown(input)}, which OpenID Connect has given a meaning`,
    })
    .refine((scope) => !standard.has(scope), {
      error: ({ input }) => `not be ${shown(input)}, which the specification has; pages.texts can replace its text`,
    }),
  area: line(60),
  access: z.enum(['read', 'write']),
  text: line(200),
  audience: z.enum(['operator', 'member', 'any']).default('operator'),
  marks: list(z.enum(scopeMarks), `be an array of ${scopeMarks.join(', ')}`).optional(),
} satisfies Shape<ScopeRow>);

const omitDemand = `be a scope of the specification other than ${identityScopes.join(', ')}`;

export const scopesSchema: z.ZodType<readonly ScopeRow[]> = list(row, 'be an array of scopes').check((payload) => {
  const twice = repeated<readonly PropertyKey[]>(payload.value.map(({ scope }, i) => [[i, 'scope'], scope]));
  if (twice) refuse(payload, ...twice);
});

export const omitScopesSchema: z.ZodType<readonly StandardScope[]> = list(
  z
    .custom<StandardScope>((scope) => typeof scope === 'string' && standard.has(scope) && !isIdentity(scope), {
      error: ({ input }) => `${omitDemand}, not ${shown(input)}`,
    })
    .meta({ type: 'scope' }),
  'be an array of scopes',
).check((payload) => {
  const twice = repeated<readonly PropertyKey[]>(payload.value.map((scope, i) => [[i], scope]));
  if (twice) refuse(payload, ...twice);
});

function isIdentity(scope: string): boolean {
  return standard.get(scope)?.access === 'identity';
}

/** The specification's scopes that are not omitted, and the host's own. @throws TypeError for too many scopes */
export function campusScopes(
  scopes: readonly ScopeRow[],
  omitted: readonly string[],
  english: SomeTexts = {},
): ScopeCatalogue {
  const replaced = [...standard.values()].map((own) => {
    const text = english[`scope.${own.scope}`];
    return text === undefined ? own : { ...own, text: plainText(text) };
  });
  const rows = [...replaced.filter(({ scope }) => !omitted.includes(scope)), ...scopes];
  const { length } = rows.map(({ scope }) => scope).join(' ');
  if (length > maxCharacters) {
    const why = `with those of the specification they have ${length}, with a space between them; use shorter or fewer names`;
    throw optionError('scopes', `have names of at most ${maxCharacters} characters together; ${why}`);
  }
  return createScopeCatalogue(rows, omitted);
}
