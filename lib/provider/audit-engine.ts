import type { errors, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { audienceOf, isFirstParty } from '../clients/metadata.ts';
import { familyIdOf, storedId } from '../records/codec.ts';
import type { AuditAction, AuditActor, AuditDetails, OnAudit } from '../runtime/audit-event.ts';
import { isReuse } from './engine-errors.ts';
import { requestOf } from './engine-request.ts';

/** Reports what the engine allows and refuses. `redemption.ts` reports issued tokens. */
export function auditEngine(provider: Provider, onAudit: OnAudit): void {
  const refused = (action: AuditAction) => (ctx: KoaContextWithOIDC, error: errors.OIDCProviderError) => {
    const isSure = error.error !== 'invalid_client' && action !== 'authorization.refused';
    const actor = isSure ? clientActor(ctx) : personActor(ctx);
    const reused = isReuse(error);
    const reason = reused ? undefined : error.error;
    const grantType = grantTypeOf(ctx.oidc.params?.['grant_type']);
    onAudit({ action: reused ? 'token.reused' : action, reason, actor, grantType, ...partiesOf(ctx) });
  };
  provider.on('authorization.success', (ctx) => {
    const { AuthorizationCode: code, Client: client } = ctx.oidc.entities;
    const reason = client && isFirstParty(client) && !ctx.oidc.result?.consent ? 'first_party' : undefined;
    const familyId = code && familyIdOf(storedId('AuthorizationCode', code.jti));
    onAudit({
      action: 'authorization.granted',
      reason,
      actor: personActor(ctx),
      ...partiesOf(ctx),
      connectionId: code?.grantId,
      familyId,
    });
  });
  provider.on('authorization.error', refused('authorization.refused'));
  provider.on('grant.error', refused('token.refused'));
  provider.on('revocation.error', refused('revocation.refused'));
  provider.on('grant.revoked', (ctx) => {
    const reason = ctx.oidc.route === 'token' ? 'reused' : undefined;
    onAudit({ action: 'token.revoked', reason, actor: clientActor(ctx), ...partiesOf(ctx) });
  });
}

function grantTypeOf(sent: unknown): AuditDetails['grantType'] {
  return sent === 'authorization_code' || sent === 'refresh_token' ? sent : undefined;
}

/** The client that has sent the request and, if it needs to be, is authenticated. */
function clientActor({ oidc }: KoaContextWithOIDC): AuditActor | undefined {
  return oidc.client && { kind: 'client', id: oidc.client.clientId };
}

/** Who is signed in at the authorization endpoint. */
function personActor({ oidc }: KoaContextWithOIDC): AuditActor | undefined {
  const { Account: account, Client: client } = oidc.entities;
  return account && client && { kind: audienceOf(client), id: account.accountId };
}

type Parties = Pick<AuditDetails, 'siteId' | 'clientId' | 'memberId' | 'connectionId' | 'familyId'>;

function partiesOf(ctx: KoaContextWithOIDC): Parties {
  const { AccessToken, Account, AuthorizationCode, Client, RefreshToken } = ctx.oidc.entities;
  const token = AccessToken ?? RefreshToken ?? AuthorizationCode;
  const { site, reads } = requestOf(ctx);
  return {
    siteId: site.id,
    clientId: Client?.clientId,
    memberId: Account?.accountId ?? token?.accountId,
    connectionId: token?.grantId,
    familyId: reads.token?.familyId,
  };
}
