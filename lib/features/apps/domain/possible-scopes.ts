import type { ListedApp } from '../../../core/apps/apps.ts';
import type { ClientAudience } from '../../../core/clients/client.ts';
import type { Scope, ScopeCatalogue } from '../../../core/scopes/scopes.ts';

interface Asking {
  /** For whom it acts, in each of its ways in. */
  readonly audiences: readonly ClientAudience[];
  /** What it can ask for. @default all for those */
  readonly scopes?: readonly Scope[] | undefined;
}

/** What an app can get at most at a school: what it can ask for, as far as its status and the rule in force leave it. */
export function possibleScopes(
  catalogue: ScopeCatalogue,
  { status, rule }: Pick<ListedApp, 'status' | 'rule'>,
  { audiences, scopes }: Asking,
): readonly Scope[] {
  if (status === 'blocked') return [];
  const all = audiences.length > 0 ? audiences : (['operator'] as const);
  const asked = new Set(scopes ?? all.flatMap((audience) => catalogue.of(audience)));
  const isLeft = (scope: Scope): boolean => rule.scopes === undefined || rule.scopes.includes(scope);
  return catalogue.rows
    .filter(({ scope, access }) => asked.has(scope) && isLeft(scope) && !(status === 'view_only' && access === 'write'))
    .map(({ scope }) => scope);
}
