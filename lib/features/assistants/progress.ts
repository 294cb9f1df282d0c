import type { Connection } from '../../core/connections/connection.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import type { AuditAction, AuditEvent } from '../../observe/audit-event.ts';
import { secondsOf } from '../../pages/activity/sentences.ts';

type SeenConnection = Pick<Connection, 'clientId' | 'app' | 'createdAt' | 'allowedAt' | 'devices'>;
type SeenEvent = Pick<AuditEvent, 'time' | 'action' | 'outcome' | 'reason' | 'clientId' | 'app' | 'memberId' | 'tool'>;

/** How far one step is; `expired` where it can no longer follow, `unknown` where neither the store nor a log of the host says it. */
export interface Step<E = SeenEvent> {
  readonly state: 'done' | 'refused' | 'waiting' | 'expired' | 'unknown';
  /** In seconds since the epoch. */
  readonly at?: number | undefined;
  /** The tool that was called, or why it was refused. */
  readonly detail?: string | undefined;
  /** What the app did first. */
  readonly event?: E | undefined;
}

export interface Progress<C = SeenConnection, E = SeenEvent> extends Readonly<
  Record<'reached' | 'signedIn' | 'redeemed' | 'called', Step<E>>
> {
  /** The app's, once the person has signed in with it. */
  readonly connection?: C | undefined;
}

/** The person whose app it is, and the app: without `clientId` and `app`, any app of that person. */
export interface Wanted {
  readonly memberId: string;
  /** Administrators also learn of attempts before anybody has signed in. */
  readonly isAdministrator: boolean;
  readonly clientId?: string | undefined;
  readonly app?: string | undefined;
  /** How long a code can be redeemed, in seconds. */
  readonly codeSeconds: number;
}

/** Steps of one person and one app, from their connections and the events of the host's log, both newest first. */
export function progressOf<C extends SeenConnection, E extends SeenEvent>(
  wanted: Wanted,
  connections: readonly C[],
  events: readonly E[] | undefined,
): Progress<C, E> {
  const { memberId, isAdministrator, clientId, app, codeSeconds } = wanted;
  const matches = (of: { readonly clientId?: string | undefined }, appId: string | undefined): boolean =>
    clientId === undefined ? app === undefined || appId === app : of.clientId === clientId;
  const isOwn = (event: SeenEvent): boolean =>
    event.memberId === memberId || (isAdministrator && !event.memberId && (clientId ?? app) !== undefined);
  const connection = connections.find((each) => matches(each, each.app?.id));
  if (connection) {
    const done = { state: 'done', at: connection.allowedAt } as const;
    const redeemed = redeemedBy(connection, events?.filter(isOwn), codeSeconds);
    return { connection, reached: done, signedIn: done, redeemed, called: calledBy(connection, memberId, events) };
  }
  const arrived = events?.find((event) => isOwn(event) && matches(event, event.app));
  const notSeen = { state: events ? 'waiting' : 'unknown' } as const;
  return {
    reached: arrived ? arrival(arrived) : notSeen,
    signedIn: { state: 'waiting' },
    redeemed: { state: 'waiting' },
    called: { state: 'waiting' },
  };
}

function arrival({ outcome, reason, time }: SeenEvent): Step<never> {
  const at = secondsOf(time);
  return outcome === 'refused' ? { state: 'refused', at, detail: reason } : { state: 'done', at };
}

const redemptions: ReadonlySet<AuditAction> = new Set([
  'token.issued',
  'token.refreshed',
  'token.replayed',
  'tool.called',
]);
const failedRedemptions: ReadonlySet<AuditAction> = new Set(['token.refused', 'token.reused']);

/** Whether the app has redeemed its code. One that gets no refresh token is on no device. */
function redeemedBy(
  { clientId, createdAt, allowedAt, devices = [] }: SeenConnection,
  events: readonly SeenEvent[] | undefined,
  codeSeconds: number,
): Step<never> {
  const since = (start: number, actions: ReadonlySet<AuditAction>): SeenEvent | undefined =>
    events?.find((event) => actions.has(event.action) && event.clientId === clientId && secondsOf(event.time) >= start);
  const used = since(createdAt, redemptions);
  if (devices.length > 0 || used) return { state: 'done', at: used && secondsOf(used.time) };
  const failed = since(allowedAt, failedRedemptions);
  if (failed) return { state: 'refused', at: secondsOf(failed.time), detail: failed.reason };
  if (epochSeconds() < allowedAt + codeSeconds) return { state: 'waiting' };
  return { state: events ? 'expired' : 'unknown' };
}

function calledBy<E extends SeenEvent>(
  { clientId, createdAt }: SeenConnection,
  memberId: string,
  events: readonly E[] | undefined,
): Step<E> {
  if (!events) return { state: 'unknown' };
  // What it did before it was disconnected is of another connection.
  const isOwn = (event: E): boolean =>
    event.clientId === clientId && event.memberId === memberId && secondsOf(event.time) >= createdAt;
  const calls = events.filter((event) => event.tool && isOwn(event));
  // The newest come first, and this is about the first one.
  const call = calls.findLast(({ tool }) => tool?.outcome === 'succeeded') ?? calls[0];
  if (!call) return { state: 'waiting' };
  const succeeded = call.tool?.outcome === 'succeeded';
  const detail = succeeded ? call.tool.name : call.tool?.outcome;
  return {
    state: succeeded ? 'done' : 'refused',
    at: secondsOf(call.time),
    detail,
    event: succeeded ? call : undefined,
  };
}
