import type { Account, Client, FindAccount, Grant } from 'oidc-provider';
import { type AccessRule, denial } from '../host/access-rule.ts';
import { memberClaims } from '../host/claims.ts';
import { AccessDenied, InvalidGrant } from '../protocol/errors.ts';
import { currentEngineRequest } from './engine-request.ts';
import { audienceOf, sameSince } from '../clients/metadata.ts';
import { inEngine } from './engine-errors.ts';

/** The engine's view of a member; a code or refresh token of someone who may not use the client is worth nothing. */
export function accountFinder(rule: AccessRule, grantLifetime: number): FindAccount {
  return (ctx, sub, token) =>
    inEngine(async () => {
      const { client } = ctx.oidc;
      const call = currentEngineRequest();
      const member = await call.member(sub);
      if (token && client && changedSinceConsent(client, ctx.oidc.entities.Grant, grantLifetime)) {
        throw new InvalidGrant(
          'the metadata document of this application has changed since the person consented; authorize again',
        );
      }
      const verdict = client ? rule(member, audienceOf(client)) : 'no-role';
      if (member && verdict === 'permitted') {
        const account: Account = { accountId: sub, claims: () => ({ ...memberClaims(call.site, member) }) };
        return account;
      }
      // Somebody who is about to sign in again may come back as somebody else.
      if (token || ctx.oidc.promptPending('login')) return undefined;
      throw new AccessDenied(denial[verdict === 'no-operator' ? verdict : 'no-role']);
    });
}

/** A grant's life starts anew with each consent. Specification: Registration rules 3. */
function changedSinceConsent(client: Client, grant: Grant | undefined, grantLifetime: number): boolean {
  return grant?.exp !== undefined && grant.exp - grantLifetime < sameSince(client);
}
