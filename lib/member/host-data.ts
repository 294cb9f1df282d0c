import type { OnFault } from '../runtime/events.ts';
import type { CallOptions, MemberData } from '../contracts/member-data.ts';
import type { MaybePromise } from '../contracts/platform.ts';
import { reportFault } from '../host/faults.ts';
import { InvalidRequest, TemporarilyUnavailable } from '../protocol/errors.ts';

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
        throw reportFault(onFault, `memberApi.data.${name}`, cause);
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

function isAborted(call: unknown): boolean {
  const signal: unknown = typeof call === 'object' && call !== null && 'signal' in call ? call.signal : undefined;
  return signal instanceof AbortSignal && signal.aborted;
}
