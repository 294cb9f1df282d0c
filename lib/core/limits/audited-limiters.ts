import type { AccessOf, ClientAudience } from '../clients/client.ts';
import type { Limits } from './limits.ts';
import type { Site } from '../../host/school-platform.ts';
import type { HourlyLimit } from '../../kernel/hourly-limit.ts';
import type { PluginQuotas } from './quotas.ts';
import type { AtSite } from '../../host/at-site.ts';
import { OAuthError } from '../../kernel/errors.ts';
import type { Core } from '../core.ts';
import type { AuditDetails } from '../../observe/audit-event.ts';
import { type AssertionLimiter, createAssertionLimiter } from './assertion-limiter.ts';
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
  type MemberLimiter,
  requestLimit,
  type SignedInLimiter,
} from './limiter.ts';

export interface AuditedLimiters {
  readonly limiter: (name: AddressLimit) => Limiter;
  readonly limitAuthorizations: AuthorizationLimiter;
  readonly limitRequests: SignedInLimiter;
  /** Counts what signed-in members cause. */
  readonly signedInLimiter: (
    name: keyof Limits | 'requests',
    limit: AtSite<HourlyLimit | undefined>,
  ) => SignedInLimiter;
  readonly assertions: AssertionLimiter;
  /** Counts pages and files of operators. */
  readonly limitPages: MemberLimiter;
  readonly quotas: PluginQuotas;
}

type Who = Omit<AuditDetails, 'action' | 'reason'>;
type Refuse = (error: unknown, reason: keyof Limits | 'requests', who: Who) => never;

/** The limiters of a campus; each refusal of one is an audit event with the name of the limit. */
export function auditedLimiters(core: Pick<Core, 'store' | 'limits' | 'onAudit' | 'onFault'>): AuditedLimiters {
  const { store, limits, onAudit, onFault } = core;
  const refuse: Refuse = (error, reason, who) => {
    if (error instanceof OAuthError && error.status === 429) onAudit({ action: 'quota.exceeded', reason, ...who });
    throw error;
  };
  const callerOf = callerFinder(onFault);
  const limiter = (name: AddressLimit): Limiter => {
    const limit = createLimiter(store, name, limits, callerOf);
    return (ctx, site, calls) => limit(ctx, site, calls).catch((error) => refuse(error, name, { siteId: site.id }));
  };
  const signedIn: AuditedLimiters['signedInLimiter'] = (reason, limit) => {
    const count = createSignedInLimiter(store, reason, limit);
    return (site, memberId) => {
      const actor = { kind: 'member', id: memberId } as const;
      return count(site, memberId).catch((error) => refuse(error, reason, { siteId: site.id, memberId, actor }));
    };
  };
  const limitSignedIn = signedIn('authorizations', (site) => (limits(site) || undefined)?.authorizations);
  const limitAnonymous = limiter('authorizations');
  const token = createTokenLimiter(store, limits);
  const inProcess = (reason: 'memberCalls' | 'pages') => {
    const count = createMemberLimiter(reason, limits);
    return (site: Site, memberId: string, who: Who, uses?: number): void => {
      try {
        count(site, memberId, uses);
      } catch (error) {
        refuse(error, reason, who);
      }
    };
  };
  const member = inProcess('memberCalls');
  const pages = inProcess('pages');
  return {
    limiter,
    limitAuthorizations: (ctx, site, memberId) =>
      memberId === undefined ? limitAnonymous(ctx, site) : limitSignedIn(site, memberId),
    signedInLimiter: signedIn,
    limitRequests: signedIn('requests', (site) => (limits(site) === false ? undefined : requestLimit)),
    assertions: auditedAssertions(createAssertionLimiter(store, limits, callerOf), refuse),
    limitPages: (site, memberId, uses) =>
      pages(site, memberId, { siteId: site.id, memberId, actor: { kind: 'operator', id: memberId } }, uses),
    quotas: {
      anonymous: limiter('anonymousCalls'),
      token: (access, calls) => token(access, calls).catch((error) => refuse(error, 'tokenCalls', partiesOf(access))),
      member: (access) => member(access.site, access.member.id, partiesOf(access)),
      refusals: createRefusalCounter(limits, callerOf),
    },
  };
}

function auditedAssertions(limiter: AssertionLimiter, refuse: Refuse): AssertionLimiter {
  return {
    ...limiter,
    check: (ctx, site, clientId) => {
      try {
        limiter.check(ctx, site, clientId);
      } catch (error) {
        // Nobody knows whose it is.
        refuse(error, 'assertions', { siteId: site.id });
      }
    },
    use: (site, id) => {
      const who: Who = { siteId: site.id, actor: { kind: 'client', id }, clientId: id };
      return limiter.use(site, id).catch((error) => refuse(error, 'assertions', who));
    },
  };
}

function partiesOf({ site, clientId, member }: AccessOf<ClientAudience>): Who {
  return { siteId: site.id, actor: { kind: 'client', id: clientId }, clientId, memberId: member?.id };
}
