import { scopeCatalogue, mayHave, type Scope } from '../lib/protocol/scopes.ts';

const operatorRows = scopeCatalogue.filter(({ scope }) => mayHave('operator', scope));

/** Every scope that an operator client may ask for. Registration rules 6. */
export const operatorScopes: readonly Scope[] = operatorRows.map((row) => row.scope);

/**
 * The scopes that a client with an unreviewed metadata document may ask for: identity and read scopes. Registration rules
 * 3; Limits.
 */
export const unreviewedScopes: readonly Scope[] = operatorRows
  .filter((row) => row.access !== 'write')
  .map((row) => row.scope);
