import { createScopeCatalogue, type ScopeCatalogue, scopeCatalogue } from '../../lib/core/scopes/scopes.ts';

/** The scopes of a campus that declares none of its own. */
export const standardScopes: ScopeCatalogue = createScopeCatalogue(scopeCatalogue);

export const { all: allScopes, mayHave } = standardScopes;
