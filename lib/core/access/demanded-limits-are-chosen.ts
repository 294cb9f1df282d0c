import { type DeclaredBoundary, type Only, lacksLimit } from '../boundaries/boundary.ts';
import { isIdentityScope } from '../scopes/scopes.ts';
import { type Facts, type Permission, none } from './permission.ts';
import type { AppRule } from './rule.ts';
import { keep, said } from './taking.ts';
import { deciders } from './who-can-change.ts';

/** What a rule gives only with a limit has one. */
export function demandedLimitsAreChosen(p: Permission, { asked: { chosen, service }, boundaries }: Facts): Permission {
  const { limited = none } = p.rule;
  if (limited.length === 0) return p;
  // Whom a page asks can choose what is declared. Nobody chooses for a service.
  const only = chosen || service ? chosen?.only : Object.fromEntries(limited.map((type) => [type, none]));
  const keeps = countsWith(p.rule, only, boundaries);
  const { by, policy } = said(p.said.find(({ rule }) => (rule.limited?.length ?? 0) > 0));
  return keep(p, demandedLimitsAreChosen, keeps, (names) =>
    chosen && !service
      ? {
          code: 'limit',
          from: by,
          policy,
          text: `a rule demands a limit (${limited.join(', ')}), and the person has allowed ${names} without one`,
          change: 'the person chooses a limit under Your apps, or when the client asks again',
        }
      : {
          code: 'scope',
          from: by,
          policy,
          text: `a rule gives ${names} only with a limit, which the person cannot choose`,
          change: `${deciders[by]} no longer demands the limit`,
        },
  );
}

/** Whether a scope counts that is given with these limits. No limit is about identity scopes. */
export function countsWith(
  { limited = none }: AppRule,
  only: Only | undefined,
  boundaries: readonly DeclaredBoundary[],
): (scope: string) => boolean {
  return (scope) => isIdentityScope(scope) || !lacksLimit(boundaries, limited, only, scope);
}
