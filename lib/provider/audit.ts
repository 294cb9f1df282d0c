import type { errors, KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { AuditEvent, OnAudit } from '../runtime/events.ts';
import { isReuse } from './engine-errors.ts';

/** Reports what the engine allows and refuses. Issued tokens are reported where they are committed: `redemption.ts`. */
export function auditEngine(provider: Provider, siteId: string, onAudit: OnAudit): void {
  const allowed = (what: AuditEvent['what']) => (ctx: KoaContextWithOIDC) =>
    onAudit({ what, decision: 'allowed', siteId, ...partiesOf(ctx) });
  const refused = (what: AuditEvent['what']) => (ctx: KoaContextWithOIDC, error: errors.OIDCProviderError) =>
    onAudit({
      what: what === 'token' && isRefresh(ctx) ? 'refresh' : what,
      decision: 'refused',
      reason: isReuse(error) ? 'reused' : error.error,
      siteId,
      ...partiesOf(ctx),
    });
  provider.on('authorization.success', allowed('authorization'));
  provider.on('authorization.error', refused('authorization'));
  provider.on('grant.error', refused('token'));
  provider.on('revocation.error', refused('revocation'));
  provider.on('grant.revoked', allowed('revocation'));
}

function isRefresh({ oidc }: KoaContextWithOIDC): boolean {
  return oidc.params?.['grant_type'] === 'refresh_token';
}

function partiesOf({ oidc }: KoaContextWithOIDC): Pick<AuditEvent, 'clientId' | 'memberId'> {
  const { AccessToken, Account, AuthorizationCode, Client, RefreshToken } = oidc.entities;
  const token = AccessToken ?? RefreshToken ?? AuthorizationCode;
  return { clientId: Client?.clientId, memberId: Account?.accountId ?? token?.accountId };
}
