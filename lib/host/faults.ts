import type { ConsentPolicy } from '../contracts/consent.ts';
import type { CallOptions, MemberData } from '../contracts/member-data.ts';
import type { MaybePromise, SchoolPlatform } from '../contracts/platform.ts';
import type { RegistrationPolicy } from '../contracts/registration.ts';
import type { Store } from '../contracts/store.ts';
import { InvalidRequest, OAuthError, TemporarilyUnavailable } from '../protocol/errors.ts';
import { withTimeout } from '../runtime/timeout.ts';
import { checkMember, checkPlatformSession } from './platform-responses.ts';

/** Told of every fault, with its cause, before the caller gets 503. */
export type OnFault = (message: string, cause: unknown) => void;

/** Seconds that the platform or a policy may take for one answer. A store keeps a time of its own. */
const patience = 10;

/**
 * The platform and the store as the rest of the house sees them: whatever they throw is a fault, never a verdict, and so
 * is an answer that does not come. Specification: Errors, the 503 row.
 *
 * @param seconds - how long an answer may take; `Infinity` where it is not ours to say
 */
export function faultWrapper(
  onFault: OnFault,
  seconds: number = patience,
): <A extends unknown[], R>(what: string, call: (...args: A) => R | Promise<R>) => (...args: A) => Promise<R> {
  return (what, call) =>
    async (...args) => {
      try {
        const answer = call(...args);
        if (seconds === Infinity || !isThenable(answer)) return await answer;
        return await withTimeout(answer, seconds * 1000, () => new Error(`no answer after ${seconds} seconds`));
      } catch (cause) {
        throw tell(onFault, what, cause);
      }
    };
}

function isThenable(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'then' in answer;
}

/** Tells of a fault; answers what the caller gets. */
function tell(onFault: OnFault, what: string, cause: unknown): TemporarilyUnavailable {
  onFault(`${what} failed`, cause);
  if (cause instanceof TemporarilyUnavailable) return cause;
  return new TemporarilyUnavailable('the service cannot tell right now; try again in a moment', { cause });
}

/** The store, with every rejection turned into `temporarily_unavailable`. */
export function wrapStore(store: Store, onFault: OnFault): Store {
  const guard = faultWrapper(onFault, Infinity);
  return {
    find: guard('store.find', store.find.bind(store)),
    save: guard('store.save', store.save.bind(store)),
    remove: guard('store.remove', store.remove.bind(store)),
    redeem: guard('store.redeem', store.redeem.bind(store)),
    listClients: guard('store.listClients', store.listClients.bind(store)),
    consumeQuota: guard('store.consumeQuota', store.consumeQuota.bind(store)),
    grantIds: guard('store.grantIds', store.grantIds.bind(store)),
    revoke: guard('store.revoke', store.revoke.bind(store)),
    ping: guard('store.ping', store.ping.bind(store)),
  };
}

/** The platform as the rest of the house sees it. */
export type HostPlatform = {
  readonly [M in 'findSite' | 'signedInMember' | 'signInUrl' | 'findMember']: (
    ...args: Parameters<SchoolPlatform[M]>
  ) => Promise<Awaited<ReturnType<SchoolPlatform[M]>>>;
};

/** The platform, with every rejection turned into `temporarily_unavailable`. */
export function wrapPlatform(platform: SchoolPlatform, onFault: OnFault): HostPlatform {
  const guard = faultWrapper(onFault);
  return {
    findSite: guard('platform.findSite', platform.findSite.bind(platform)),
    signedInMember: guard('platform.signedInMember', async (...args: Parameters<SchoolPlatform['signedInMember']>) =>
      checkPlatformSession(await platform.signedInMember(...args)),
    ),
    signInUrl: guard('platform.signInUrl', platform.signInUrl.bind(platform)),
    findMember: guard('platform.findMember', async (...args: Parameters<SchoolPlatform['findMember']>) =>
      checkMember(await platform.findMember(...args)),
    ),
  };
}

/** The Member API's data as our resolvers see it. */
export type HostMemberData = {
  readonly [M in keyof MemberData]: (...args: Parameters<MemberData[M]>) => Promise<Awaited<ReturnType<MemberData[M]>>>;
};

/** The Member API's data, with every rejection but an `InvalidRequest` turned into `temporarily_unavailable`. */
export function wrapMemberData(data: MemberData, onFault: OnFault): HostMemberData {
  const guarded =
    <A extends [...unknown[], CallOptions], R>(name: keyof MemberData, call: (...args: A) => MaybePromise<R>) =>
    async (...args: A): Promise<R> => {
      try {
        return await call(...args);
      } catch (cause) {
        if (cause instanceof InvalidRequest) throw cause;
        const last: unknown = args.at(-1);
        // Cut off: whoever did that has told, or nobody is left to be told.
        if (isAborted(last)) throw new TemporarilyUnavailable('nobody waits for it any more', { cause });
        throw tell(onFault, `platform.memberData.${name}`, cause);
      }
    };
  return {
    schools: guarded('schools', data.schools.bind(data)),
    enrolledCourses: guarded('enrolledCourses', data.enrolledCourses.bind(data)),
    digitalProducts: guarded('digitalProducts', data.digitalProducts.bind(data)),
    consultingServices: guarded('consultingServices', data.consultingServices.bind(data)),
    eventRegistrations: guarded('eventRegistrations', data.eventRegistrations.bind(data)),
    notifications: guarded('notifications', data.notifications.bind(data)),
    unreadNotificationCount: guarded('unreadNotificationCount', data.unreadNotificationCount.bind(data)),
    notificationSubscriptions: guarded('notificationSubscriptions', data.notificationSubscriptions.bind(data)),
    markNotificationRead: guarded('markNotificationRead', data.markNotificationRead.bind(data)),
    markAllNotificationsRead: guarded('markAllNotificationsRead', data.markAllNotificationsRead.bind(data)),
    updateNotificationSubscription: guarded(
      'updateNotificationSubscription',
      data.updateNotificationSubscription.bind(data),
    ),
  };
}

/** The consent policies, with every rejection turned into `temporarily_unavailable`. */
export function wrapConsentPolicies(policies: readonly ConsentPolicy[], onFault: OnFault): ConsentPolicy[] {
  const guard = faultWrapper(onFault);
  return policies.map((policy, i) => guard(`consent[${i}]`, policy));
}

/** The registration policies: a thrown `OAuthError` is their refusal, everything else a fault. */
export function wrapRegistrationPolicies(
  policies: readonly RegistrationPolicy[],
  onFault: OnFault,
): RegistrationPolicy[] {
  const guard = faultWrapper(onFault);
  return policies.map((policy, i) => {
    const decide = guard(`registration[${i}]`, async (request: Parameters<typeof policy.decide>[0]) => {
      try {
        return { verdict: await policy.decide(request) };
      } catch (error) {
        if (error instanceof OAuthError) return { refusal: error };
        throw error;
      }
    });
    return {
      name: policy.name,
      clients: policy.clients,
      ...(policy.refusal && { refusal: policy.refusal.bind(policy) }),
      decide: async (request) => {
        const { verdict, refusal } = await decide(request);
        if (refusal) throw refusal;
        return verdict;
      },
    };
  });
}

function isAborted(call: unknown): boolean {
  const signal: unknown = typeof call === 'object' && call !== null && 'signal' in call ? call.signal : undefined;
  return signal instanceof AbortSignal && signal.aborted;
}
