import type { Lifetimes, Limits } from './limits.ts';
import type { Site } from '../../host/school-platform.ts';
import type { HourlyLimit } from '../../kernel/hourly-limit.ts';
import type { CountedAccess, PluginQuotas } from './call-quotas.ts';
import { type AtSite, atSite, type SiteOption } from '../../host/per-site.ts';
import { OAuthError } from '../../kernel/errors.ts';
import type { Records } from '../../records/records.ts';
import type { Audit } from '../../observe/audit.ts';
import { type LimitedFeature, lifetimesSchema, limitsSchema } from './limit-defaults.ts';
import { type CallerFinder, callerFinder } from './caller-address.ts';
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
} from './request-limiters.ts';
import type { EventDetails } from '../../observe/audit-event.ts';

/** How long things live at a school and how much its callers may do. Each refusal is an audit event with the name of the limit. */
export interface LimitManager {
  /** The limits of a school; `false` if the host has switched them off. */
  readonly limits: AtSite<Limits | false>;
  readonly lifetimes: AtSite<Lifetimes>;
  readonly limiter: (name: AddressLimit) => Limiter;
  readonly limitAuthorizations: AuthorizationLimiter;
  readonly limitRequests: SignedInLimiter;
  /** Counts what signed-in members cause. */
  readonly signedInLimiter: (
    name: keyof Limits | 'requests',
    limit: AtSite<HourlyLimit | undefined>,
  ) => SignedInLimiter;
  /** Whose calls are counted together. */
  readonly callerOf: CallerFinder;
  /** Throws the error, after an audit event if it says that a limit was reached. */
  readonly refuse: Refuse;
  /** Counts the pages that a person opens, and what takes the work of several. */
  readonly limitPages: MemberLimiter;
  readonly quotas: PluginQuotas;
}

/** Whose call was refused. */
export interface Refused extends EventDetails {
  readonly siteId: string;
}

type Refuse = (error: unknown, reason: keyof Limits | 'requests', who: Refused) => never;

interface LimitOptions {
  readonly limits: SiteOption<Limits | false>;
  readonly lifetimes: SiteOption<Lifetimes>;
}

interface LimitSources {
  readonly features: readonly LimitedFeature[];
  readonly records: Records;
  readonly audit: Audit;
}

export function createLimits(options: LimitOptions, { features, records, audit }: LimitSources): LimitManager {
  const { store } = records;
  const { onAudit, onFault } = audit;
  const limits = atSite('limits', options.limits, limitsSchema(features), onFault);
  const lifetimes = atSite('lifetimes', options.lifetimes, lifetimesSchema, onFault);
  const refuse: Refuse = (error, reason, who) => {
    if (error instanceof OAuthError && error.status === 429) onAudit({ action: 'quota.exceeded', reason, ...who });
    throw error;
  };
  const callerOf = callerFinder(onFault);
  const limiter = (name: AddressLimit): Limiter => {
    const limit = createLimiter(store, name, limits, callerOf);
    return (ctx, site, calls) => limit(ctx, site, calls).catch((error) => refuse(error, name, { siteId: site.id }));
  };
  const signedIn: LimitManager['signedInLimiter'] = (reason, limit) => {
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
    return (site: Site, memberId: string, who: Refused, uses?: number): void => {
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
    limits,
    lifetimes,
    limiter,
    limitAuthorizations: (ctx, site, memberId) =>
      memberId === undefined ? limitAnonymous(ctx, site) : limitSignedIn(site, memberId),
    signedInLimiter: signedIn,
    limitRequests: signedIn('requests', (site) => (limits(site) === false ? undefined : requestLimit)),
    callerOf,
    refuse,
    limitPages: (site, memberId, uses) =>
      pages(site, memberId, { siteId: site.id, memberId, actor: { kind: 'member', id: memberId } }, uses),
    quotas: {
      anonymous: limiter('anonymousCalls'),
      token: (access, calls) => token(access, calls).catch((error) => refuse(error, 'tokenCalls', partiesOf(access))),
      member: (access) => member(access.site, access.member.id, partiesOf(access)),
      refusals: createRefusalCounter(limits, callerOf),
    },
  };
}

function partiesOf({ site, clientId, member }: CountedAccess): Refused {
  return { siteId: site.id, actor: { kind: 'client', id: clientId }, clientId, memberId: member?.id };
}
