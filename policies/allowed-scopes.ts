import { isFor, scopeCatalogue, type Scope, type ScopeRow } from '../lib/protocol/scopes.ts';

/**
 * Every scope of these rows that an operator client may ask for. Registration rules 6.
 *
 * @param rows - @default those of the specification
 */
export function operatorScopesOf(rows: readonly ScopeRow[] = scopeCatalogue): readonly Scope[] {
  return rows.filter((row) => isFor('operator', row)).map(({ scope }) => scope);
}

/**
 * The scopes of these rows that a client with an unreviewed metadata document may ask for: identity and read scopes.
 * Registration rules 3; Limits.
 *
 * @param rows - @default those of the specification
 */
export function unreviewedScopesOf(rows: readonly ScopeRow[] = scopeCatalogue): readonly Scope[] {
  return operatorScopesOf(rows.filter(({ access }) => access !== 'write'));
}

/** Every scope of the specification that an operator client may ask for. Registration rules 6. */
export const operatorScopes: readonly Scope[] = operatorScopesOf();

/** The scopes of the specification that a client with an unreviewed metadata document may ask for. Registration rules 3. */
export const unreviewedScopes: readonly Scope[] = unreviewedScopesOf();
