import { isIdentityScope } from '../scopes/scopes.ts';
import type { Facts, Permission } from './permission.ts';
import { keep, end, said } from './taking.ts';
import { deciders } from './who-can-change.ts';

/** The client knows people by pseudonyms, if that is demanded: never by their own name, also not because a key is missing. */
export function knownByPseudonym(p: Permission, { asked: { client }, hasPseudonym, pairwise }: Facts): Permission {
  const isRuled = p.rule.pseudonym === true;
  if (!isRuled && pairwise === undefined) return p;
  const named = p.said.find(({ rule }) => rule.pseudonym === true);
  const { by, policy } = said(named);
  if (!hasPseudonym) {
    const text = 'the client must know people by pseudonyms only, and the platform has none';
    const change = `the platform sets the option pseudonyms, or ${deciders[by]} no longer demands them`;
    const refused = { outcome: 'impossible', refusal: 'client_not_permitted', by } as const;
    return end(p, refused, knownByPseudonym, { code: 'client_not_permitted', policy, text, change });
  }
  const isChosen = !isRuled && pairwise === 'chosen';
  // A token has only what its client kept.
  const keeps = (scope: string): boolean =>
    scope === 'openid' || (!isRuled && client.token !== undefined) || (isChosen && isIdentityScope(scope));
  return keep({ ...p, pseudonym: true }, knownByPseudonym, keeps, (names) => ({
    code: 'scope',
    from: by,
    policy,
    text: `a client that knows people by pseudonyms can have openid, but not ${names}`,
    change: `${deciders[by]} lets the client know who people are`,
  }));
}
