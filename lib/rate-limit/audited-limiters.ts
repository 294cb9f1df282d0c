import type { AccessOf, ClientAudience } from '../contracts/client.ts';
import type { HourlyLimit, Limits } from '../contracts/limits.ts';
import type { PluginQuotas } from '../contracts/plugin.ts';
import type { Store } from '../contracts/store.ts';
import { OAuthError } from '../protocol/errors.ts';
import type { AuditDetails, OnAudit } from '../runtime/audit-event.ts';
import type { OnFault } from '../runtime/events.ts';
import { callerFinder } from './caller.ts';
import {
  type AddressLimit,
  type AuthorizationLimiter,
  createSignedInLimiter,
  createLimiter,
  createMemberLimiter,
  createRefusalCounter,
  createTokenLimiter,
  type Limiter,
  requestLimit,
  type SignedInLimiter,
} from './limiter.ts';

export interface AuditedLimiters {
  readonly limiter: (name: AddressLimit) => Limiter;
  readonly limitAuthorizations: AuthorizationLimiter;
  readonly limitRequests: SignedInLimiter;
  readonly quotas: PluginQuotas;
}

type Who = Omit<AuditDetails, 'action' | 'reason'>;

/** The limiters of a campus; each refusal of one is an audit event with the name of the limit. */
export function auditedLimiters(
  store: Pick<Store, 'consumeQuota'>,
  limits: Limits | false,
  { onAudit, onFault }: { readonly onAudit: OnAudit; readonly onFault: OnFault },
): AuditedLimiters {
  const refuse = (error: unknown, reason: keyof Limits | 'requests', who: Who): never => {
    if (error instanceof OAuthError && error.status === 429) onAudit({ action: 'quota.exceeded', reason, ...who });
    throw error;
  };
  const callerOf = callerFinder(onFault);
  const limiter = (name: AddressLimit): Limiter => {
    const limit = createLimiter(store, name, { limits, callerOf });
    return (ctx, siteId, calls) => limit(ctx, siteId, calls).catch((error) => refuse(error, name, { siteId }));
  };
  const signedIn = (reason: 'authorizations' | 'requests', limit: HourlyLimit | undefined): SignedInLimiter => {
    const count = createSignedInLimiter(store, reason, limit);
    return (siteId, memberId) => {
      const actor = { kind: 'member', id: memberId } as const;
      return count(siteId, memberId).catch((error) => refuse(error, reason, { siteId, memberId, actor }));
    };
  };
  const limitSignedIn = signedIn('authorizations', limits === false ? undefined : limits.authorizations);
  const limitAnonymous = limiter('authorizations');
  const token = createTokenLimiter(store, limits);
  const member = createMemberLimiter(limits);
  return {
    limiter,
    limitAuthorizations: (ctx, siteId, memberId) =>
      memberId === undefined ? limitAnonymous(ctx, siteId) : limitSignedIn(siteId, memberId),
    limitRequests: signedIn('requests', limits === false ? undefined : requestLimit),
    quotas: {
      anonymous: limiter('anonymousCalls'),
      token: (siteId, access, calls) =>
        token(siteId, access, calls).catch((error) => refuse(error, 'tokenCalls', partiesOf(siteId, access))),
      member: (siteId, access) => {
        try {
          member(siteId, access);
        } catch (error) {
          refuse(error, 'memberCalls', partiesOf(siteId, access));
        }
      },
      refusals: createRefusalCounter(limits, callerOf),
    },
  };
}

function partiesOf(siteId: string, { clientId, member }: AccessOf<ClientAudience>): Who {
  return { siteId, actor: { kind: 'client', id: clientId }, clientId, memberId: member?.id };
}
