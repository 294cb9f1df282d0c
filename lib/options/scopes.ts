import * as z from 'zod';
import type { SomeTexts } from '../i18n/texts.ts';
import { plainText } from '../i18n/translations.ts';
import { group, list, type Shape, refuse, repeated, shown } from '../kernel/option-schemas.ts';
import {
  createScopeCatalogue,
  type IdentityScope,
  identityScopes,
  type ScopeCatalogue,
  scopeCatalogue,
  scopeMarks,
  type ScopeRow,
  type StandardScope,
} from '../core/scopes/scopes.ts';
import { optionError } from '../kernel/validate.ts';
import { didYouMean } from '../host/did-you-mean.ts';

/** Options of the available scopes: the scopes of the specification, or some of them, and your own. */
export interface ScopeOptions<Own extends string = string> {
  /**
   * The scopes of `scopeCatalogue` whose API the platform offers. `openid`, `profile` and `email` always exist. Other scopes of the
   * catalogue do not. @default all
   */
  readonly only?: readonly ChoosableScope[] | undefined;
  /** Your own scopes. @default [] */
  readonly own?: readonly ScopeRow<Own>[] | readonly ScopeRow[] | undefined;
}

/** A scope of `scopeCatalogue` that a platform may leave out. */
export type ChoosableScope = Exclude<StandardScope, IdentityScope>;

const standard: readonly ScopeRow[] = scopeCatalogue;
const choosable = standard.flatMap(({ scope, access }) => (access === 'identity' ? [] : scope));

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
    .refine((scope) => standard.every((each) => each.scope !== scope), {
      error: ({ input }) => `not be ${shown(input)}, which the specification has; pages.texts can replace its text`,
    }),
  area: line(60),
  access: z.enum(['read', 'write']),
  text: line(200),
  audience: z.enum(['operator', 'member', 'any']).default('operator'),
  marks: list(z.enum(scopeMarks), `be an array of ${scopeMarks.join(', ')}`).optional(),
} satisfies Shape<ScopeRow>);

const ownScopes: z.ZodType<readonly ScopeRow[]> = list(row, 'be an array of scopes').check((payload) => {
  const twice = repeated<readonly PropertyKey[]>(payload.value.map(({ scope }, i) => [[i, 'scope'], scope]));
  if (twice) refuse(payload, ...twice);
});

const chosenScopes: z.ZodType<readonly ChoosableScope[]> = list(
  z.custom<ChoosableScope>(isChoosable, { error: ({ input }) => demandOfChosen(input) }).meta({ type: 'scope' }),
  'be an array of scopes of the specification',
).check((payload) => {
  const twice = repeated<readonly PropertyKey[]>(payload.value.map((scope, i) => [[i], scope]));
  if (twice) refuse(payload, ...twice);
});

function isChoosable(scope: unknown): boolean {
  return typeof scope === 'string' && choosable.includes(scope);
}

function demandOfChosen(scope: unknown): string {
  if (identityScopes.some((identity) => identity === scope)) return `not be ${shown(scope)}, which is always included`;
  const meant = typeof scope === 'string' ? didYouMean(scope, choosable) : '';
  return `be a scope of the specification, not ${shown(scope)}${meant || '; declare your own in scopes.own'}`;
}

/** @internal */
export const scopesSchema = group(
  { only: chosenScopes.optional(), own: ownScopes.prefault([]) } satisfies Shape<ScopeOptions>,
  'be an object with only and own',
).prefault({});

/** The scopes of a campus: those of the specification, or `only` some, and then its own. @throws TypeError for too many scopes @internal */
export function campusScopes({ only, own }: z.infer<typeof scopesSchema>, english: SomeTexts = {}): ScopeCatalogue {
  const isLeftOut = ({ scope, access }: ScopeRow): boolean =>
    access !== 'identity' && only !== undefined && !only.some((chosen) => chosen === scope);
  const kept = standard.filter((each) => !isLeftOut(each)).map((each) => withText(each, english));
  const rows = [...kept, ...own];
  const { length } = rows.map(({ scope }) => scope).join(' ');
  if (length > maxCharacters) {
    const why = `with the scopes of the specification they have ${length}; use shorter or fewer names`;
    throw optionError('scopes.own', `have names of at most ${maxCharacters} characters together; ${why}`);
  }
  return createScopeCatalogue(
    rows,
    standard.filter(isLeftOut).map(({ scope }) => scope),
  );
}

function withText(given: ScopeRow, english: SomeTexts): ScopeRow {
  const text = english[`scope.${given.scope}`];
  return text === undefined ? given : { ...given, text: plainText(text) };
}
