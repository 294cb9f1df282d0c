import { createScopeCatalogue, type ScopeCatalogue, scopeCatalogue } from '../../lib/core/scopes/scopes.ts';
import type { ChoosableScope } from '../../lib/index.ts';

/** The scopes of a campus that declares none of its own. */
export const standardScopes: ScopeCatalogue = createScopeCatalogue(scopeCatalogue);

export const { all: allScopes, mayHave } = standardScopes;

/** `scopes.only` with all scopes of the specification but these. */
export function scopesBut(...others: readonly ChoosableScope[]): readonly ChoosableScope[] {
  return scopeCatalogue.flatMap((row) => {
    if (row.access === 'identity' || others.some((other) => other === row.scope)) return [];
    return row.scope;
  });
}
