import { invisibleIn } from '../lib/kernel/invisible.ts';
import { isFor, type Scope, scopeCatalogue, type ScopeRow } from '../lib/core/scopes/scopes.ts';

export const maxNameLength = 200;

export const maxRedirectUris = 10;

/** What every registered client gets. One that asked for a secret goes on as a public client. RFC 7591 section 3.2.1. */
export const registrationDefaults = {
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
} as const;

/** What is wrong with a name that people see, as words that follow `client_name`. RFC 7591 section 2. */
export function checkName(name: string): string | undefined {
  if (name.length > maxNameLength) return `is longer than ${maxNameLength} characters`;
  const invisible = invisibleIn(name);
  return invisible && `has an invisible character, ${invisible}`;
}

/**
 * Returns every scope of these rows that an operator client may request. Registration rules 6.
 *
 * @param rows - @default `scopeCatalogue`
 */
export function operatorScopesOf(rows: readonly ScopeRow[] = scopeCatalogue): readonly Scope[] {
  return rows.filter((row) => isFor('operator', row.audience)).map(({ scope }) => scope);
}

/**
 * Returns the scopes of these rows that a client with an unreviewed metadata document may request: identity and read scopes. Registration
 * rules 3; Limits.
 *
 * @param rows - @default `scopeCatalogue`
 */
export function unreviewedScopesOf(rows: readonly ScopeRow[] = scopeCatalogue): readonly Scope[] {
  return operatorScopesOf(rows.filter(({ access }) => access !== 'write'));
}

/** Every scope of `scopeCatalogue` that an operator client may request. Registration rules 6. */
export const operatorScopes: readonly Scope[] = operatorScopesOf();

/** The scopes of `scopeCatalogue` that a client with an unreviewed metadata document may request. Registration rules 3. */
export const unreviewedScopes: readonly Scope[] = unreviewedScopesOf();
