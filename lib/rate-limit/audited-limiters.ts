import type { Limits } from '../contracts/limits.ts';
import type { Store } from '../contracts/store.ts';
import { OAuthError } from '../protocol/errors.ts';
import type { AuditDetails, OnAudit } from '../runtime/audit-event.ts';
import {
  type AddressLimit,
  type AuthorizationLimiter,
  createAuthorizationLimiter,
  createLimiter,
  createTokenLimiter,
  type Limiter,
  type TokenLimiter,
} from './limiter.ts';

export interface AuditedLimiters {
  readonly limiter: (name: AddressLimit) => Limiter;
  readonly limitAuthorizations: AuthorizationLimiter;
  readonly tokenLimiter: TokenLimiter;
}

/** The limiters of a campus; each refusal of one is an audit event with the name of the limit. */
export function auditedLimiters(
  store: Pick<Store, 'consumeQuota'>,
  limits: Limits | false,
  onAudit: OnAudit,
): AuditedLimiters {
  type Who = Omit<AuditDetails, 'action' | 'reason'>;
  const report = (consumed: Promise<void>, reason: keyof Limits, who: () => Who): Promise<void> =>
    consumed.catch((error: unknown) => {
      if (error instanceof OAuthError && error.status === 429) {
        onAudit({ action: 'quota.exceeded', reason, ...who() });
      }
      throw error;
    });
  const authorizations = createAuthorizationLimiter(store, limits);
  const token = createTokenLimiter(store, limits);
  return {
    limiter: (name) => {
      const limit = createLimiter(store, name, limits);
      return (ctx, siteId) => report(limit(ctx, siteId), name, () => ({ siteId }));
    },
    limitAuthorizations: (ctx, siteId, memberId) =>
      report(authorizations(ctx, siteId, memberId), 'authorizations', () => ({
        siteId,
        memberId,
        ...(memberId !== undefined && { actor: { kind: 'member', id: memberId } }),
      })),
    tokenLimiter: (siteId, access) =>
      report(token(siteId, access), 'tokenCalls', () => {
        const { clientId, member } = access;
        return { siteId, actor: { kind: 'client', id: clientId }, clientId, memberId: member.id };
      }),
  };
}
