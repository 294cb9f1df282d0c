import type { errors, KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { AuditEvent, OnAudit } from '../runtime/events.ts';

/** Tells what the engine allows and refuses; a redeemed token is told once it is written, by the token endpoint. */
export function auditEngine(provider: Provider, siteId: string, onAudit: OnAudit): void {
  const refused = (what: AuditEvent['what']) => (ctx: KoaContextWithOIDC, error: errors.OIDCProviderError) =>
    onAudit({ what: whatOf(what, ctx), decision: 'refused', reason: error.error, siteId, ...whoOf(ctx) });
  provider.on('authorization.success', (ctx) =>
    onAudit({ what: 'authorization', decision: 'allowed', siteId, ...whoOf(ctx) }),
  );
  provider.on('authorization.error', refused('authorization'));
  provider.on('grant.error', refused('token'));
  provider.on('revocation.error', refused('revocation'));
  provider.on('grant.revoked', (ctx) => onAudit({ what: 'revocation', decision: 'allowed', siteId, ...whoOf(ctx) }));
}

/** Whether a token request was an exchange or a refresh. */
function whatOf(what: AuditEvent['what'], ctx: KoaContextWithOIDC): AuditEvent['what'] {
  return what === 'token' && ctx.oidc.params?.['grant_type'] === 'refresh_token' ? 'refresh' : what;
}

function whoOf({ oidc }: KoaContextWithOIDC): Pick<AuditEvent, 'clientId' | 'memberId'> {
  const { AccessToken, Account, AuthorizationCode, Client, RefreshToken } = oidc.entities;
  const token = AccessToken ?? RefreshToken ?? AuthorizationCode;
  return { clientId: Client?.clientId, memberId: Account?.accountId ?? token?.accountId };
}
