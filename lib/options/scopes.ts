import * as z from 'zod';
import { group, list, type Members, refuse, repeated, shown } from '../protocol/option-schemas.ts';
import {
  createScopeCatalogue,
  identityScopes,
  type ScopeCatalogue,
  scopeCatalogue,
  type ScopeRow,
  type StandardScope,
} from '../protocol/scopes.ts';
import { optionError } from '../protocol/validate.ts';

/** Another text for a scope of the specification, which fixes its access and its audience. */
export interface ScopeTextOverride {
  readonly scope: StandardScope;
  /** @default that of the specification */
  readonly text?: string | undefined;
  /** @default that of the specification */
  readonly area?: string | undefined;
  /** Absent, or that of the specification. */
  readonly access?: ScopeRow['access'] | undefined;
  /** Absent, or that of the specification. */
  readonly audience?: ScopeRow['audience'];
}

/** A scope that the host declares, or another text for one of the specification. */
export type HostScope = ScopeRow | ScopeTextOverride;

type GivenScope = Omit<ScopeTextOverride, 'scope'> & Pick<ScopeRow, 'scope'>;

type Context = z.core.ParsePayload<GivenScope>;

const standard: ReadonlyMap<string, ScopeRow> = new Map(scopeCatalogue.map((row) => [row.scope, row]));

/** OpenID Connect Core sections 5.4 and 11. */
const reserved = new Set(['offline_access', 'address', 'phone']);

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
    .describe('The scope, for example `lessons:write`. RFC 6749 section 3.3.'),
  area: line(60).optional().describe('The heading under which the pages list it. Required for a new scope.'),
  access: z
    .enum(['identity', 'read', 'write'])
    .optional()
    .describe('`read` or `write`. Required for a new scope; the specification fixes that of its own.'),
  text: line(200)
    .optional()
    .describe('What it permits, in sentence case: `Book and cancel lessons`. Required for a new scope.'),
  audience: z
    .enum(['operator', 'member', 'any'])
    .optional()
    .describe('The clients that may ask for it. Without it, `operator`; the specification fixes that of its own.'),
} satisfies Members<ScopeRow>).transform((given, context) => {
  const own = standard.get(given.scope);
  return own ? overridden(given, own, context) : declared(given, context);
});

/** The row of the specification, with the text and the area of the host. */
function overridden({ scope, area, access, text, audience }: GivenScope, own: ScopeRow, context: Context): ScopeRow {
  const fixed = own.audience ?? 'operator';
  const why = `, as the specification has it for ${scope}; only its text and its area can be replaced`;
  if (access !== undefined && access !== own.access) refuse(context, ['access'], `be ${shown(own.access)}${why}`);
  if (audience !== undefined && audience !== fixed) refuse(context, ['audience'], `be ${shown(fixed)}${why}`);
  if (text === undefined && area === undefined) refuse(context, ['text'], 'be given, or area');
  return { ...own, ...(text !== undefined && { text }), ...(area !== undefined && { area }) };
}

function declared({ scope, area, access, text, audience }: GivenScope, context: Context): ScopeRow {
  const why = `for ${shown(scope)}, which the specification does not have`;
  if (access !== 'read' && access !== 'write') refuse(context, ['access'], `be "read" or "write" ${why}`);
  else if (area === undefined) refuse(context, ['area'], `be given ${why}`);
  else if (text === undefined) refuse(context, ['text'], `be given ${why}`);
  else return { scope, area, access, text, audience: audience ?? 'operator' };
  return z.NEVER;
}

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

/**
 * The specification's scopes without those that are omitted, and then the host's own.
 *
 * @throws TypeError for a scope that is both described and omitted, and for too many scopes
 */
export function campusScopes(scopes: readonly ScopeRow[], omitted: readonly string[]): ScopeCatalogue {
  const given = new Map(scopes.map((each) => [each.scope, each]));
  const both = omitted.findIndex((scope) => given.has(scope));
  if (both >= 0)
    throw optionError(`omitScopes[${both}]`, `not be ${shown(omitted[both])}, which the option scopes has`);
  const rows = [...new Map([...standard, ...given]).values()].filter(({ scope }) => !omitted.includes(scope));
  const { length } = rows.map(({ scope }) => scope).join(' ');
  if (length > maxCharacters) {
    const why = `with those of the specification they have ${length}, with a space between them; use shorter or fewer names`;
    throw optionError('scopes', `have names of at most ${maxCharacters} characters together; ${why}`);
  }
  return createScopeCatalogue(rows, omitted);
}
