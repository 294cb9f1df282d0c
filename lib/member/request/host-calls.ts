import type { OnFault } from '../../observe/events.ts';
import type { MemberContext } from '../../plugin-contract/member-api.ts';
import { type CallOptions, type MemberData, type PartialMemberData, serves } from '../../host/member-data.ts';
import type { MaybePromise, Member, Site } from '../../host/school-platform.ts';
import { isThenable, reportFault } from '../../observe/faults-to-503.ts';
import { InvalidRequest, TemporarilyUnavailable } from '../../kernel/errors.ts';
import { LazySignal } from '../../kernel/timeout.ts';
import type { Deadline } from './deadline.ts';

export interface CallContext extends MemberContext {
  readonly data: PartialMemberData;
  readonly deadline: Deadline;
  readonly onFault: OnFault;
  /** Whether the client sees the address of the viewer. */
  readonly seesEmail: () => Promise<boolean>;
}

/**
 * Calls the host's `data` within the deadline of the request. What is there at once is returned at once.
 *
 * @throws TypeError if it lacks the method, whose field is not in the schema then
 * @throws TemporarilyUnavailable if the platform fails or the deadline passes
 * @throws InvalidRequest if the platform rejects an argument
 */
export function queryHost<R, Method extends keyof MemberData>(
  context: CallContext,
  method: Method,
  query: (data: Pick<MemberData, Method>, viewer: Member, site: Site, call: CallOptions) => MaybePromise<R>,
): MaybePromise<R> {
  const { data, deadline, viewer, site } = context;
  if (!serves(data, method)) throw new TypeError(`memberApi.data lacks ${method}`);
  const name = `memberApi.data.${method}`;
  const fail = (cause: unknown): never => {
    if (cause instanceof InvalidRequest) throw cause;
    // The deadline has reported its fault, and a caller that disconnected gets no response.
    if (context.signal.aborted) throw new TemporarilyUnavailable('the request has ended', { cause });
    throw reportFault(context.onFault, name, cause);
  };
  try {
    const result = query(data, viewer, site, new LazySignal(deadline));
    return isThenable(result) ? deadline.within(Promise.resolve(result).catch(fail), name) : result;
  } catch (cause) {
    return fail(cause);
  }
}
