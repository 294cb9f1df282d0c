import type { Client, FindAccount, Grant } from 'oidc-provider';
import { audienceOf, sameSince } from '../clients/metadata.ts';
import { type AccessRule, denial } from '../host/access-rule.ts';
import { memberClaims } from '../host/claims.ts';
import { AccessDenied, InvalidGrant } from '../protocol/errors.ts';
import { inEngine } from './engine-errors.ts';
import { currentEngineRequest } from './engine-request.ts';

/** Finds a member for the engine. A code or refresh token is invalid once its member may no longer use the client. */
export function accountFinder(rule: AccessRule, grantLifetime: number): FindAccount {
  return (ctx, sub, token) =>
    inEngine(async () => {
      const { client } = ctx.oidc;
      const request = currentEngineRequest();
      const member = await request.member(sub);
      if (token && client && changedSinceConsent(client, ctx.oidc.entities.Grant, grantLifetime)) {
        throw new InvalidGrant(
          'the metadata document of this application has changed since the person consented; authorize again',
        );
      }
      const access = client ? rule(member, audienceOf(client)) : 'no-role';
      if (member && access === 'permitted') {
        return { accountId: sub, claims: () => ({ ...memberClaims(request.site, member) }) };
      }
      // With a sign-in pending, another person may come back.
      if (token || ['login', 'select_account'].some((prompt) => ctx.oidc.promptPending(prompt))) return undefined;
      throw new AccessDenied(denial[access === 'no-operator' ? access : 'no-role']);
    });
}

/** Each consent restarts the grant's lifetime, so its expiry tells when that was. Specification: Registration rules 3. */
function changedSinceConsent(client: Client, grant: Grant | undefined, grantLifetime: number): boolean {
  return grant?.exp !== undefined && grant.exp - grantLifetime < sameSince(client);
}
