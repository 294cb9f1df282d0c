import type { Account, Client, FindAccount, Grant } from 'oidc-provider';
import { memberClaims } from '../claims.ts';
import type { ClientAudience } from '../contracts/client.ts';
import type { Member } from '../contracts/platform.ts';
import { AccessDenied, InvalidGrant } from '../errors.ts';
import { currentCall } from './call.ts';
import { audienceOf, sameSince } from '../clients/metadata.ts';
import { inEngine } from './engine-errors.ts';

/** Answers who may be acted for, and why not. */
export type AccessRule = (
  member: Member | undefined,
  audience: ClientAudience,
) => 'permitted' | 'no-role' | 'no-operator';

/**
 * Who may use a client: a member client anyone with a role at the site, an operator client an operator of the site.
 * Asked at consent, at every exchange and at every use of a token. Specification: Registration rules 4 and 5.
 */
export function accessRule(operatorRoles: ReadonlySet<string>): AccessRule {
  return (member, audience) => {
    if (!member || member.roles.length === 0) return 'no-role';
    return audience === 'member' || member.roles.some((role) => operatorRoles.has(role)) ? 'permitted' : 'no-operator';
  };
}

/** The engine's view of a member; a code or refresh token of someone who may not use the client is worth nothing. */
export function accountFinder(rule: AccessRule, grantLifetime: number): FindAccount {
  return (ctx, sub, token) =>
    inEngine(async () => {
      const { client } = ctx.oidc;
      const call = currentCall();
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

/** What a client is told when the person may not use it. */
export const denial = {
  'no-role': 'the signed-in person has no access at this school',
  'no-operator': 'this application acts for an operator of the school, and the signed-in person is not one',
} as const;
