import type { Connection } from '../../core/connections/connection.ts';
import type { AuditEvent } from '../../observe/audit-event.ts';
import { secondsOf } from '../../pages/activity/sentences.ts';

type SeenConnection = Pick<Connection, 'clientId' | 'program' | 'allowedAt'>;
type SeenEvent = Pick<AuditEvent, 'time' | 'decision' | 'reason' | 'clientId' | 'program' | 'memberId' | 'tool'>;

/** How far one step is; `unknown` where neither the store nor a log of the host says it. */
export interface Step {
  readonly state: 'done' | 'refused' | 'waiting' | 'unknown';
  /** In seconds since the epoch. */
  readonly at?: number | undefined;
  /** The tool that was called, or why it was refused. */
  readonly detail?: string | undefined;
}

export type Progress = Readonly<Record<'reached' | 'signedIn' | 'called', Step>>;

/** The person whose program it is, and the program: without `clientId` and `program`, any program of that person. */
export interface Wanted {
  readonly memberId: string;
  /** Administrators also learn of attempts before anybody has signed in. */
  readonly isAdministrator: boolean;
  readonly clientId?: string | undefined;
  readonly program?: string | undefined;
}

/** Steps of one person and one program, from their connections and the events of the host's log, both newest first. */
export function progressOf(
  wanted: Wanted,
  connections: readonly SeenConnection[],
  events: readonly SeenEvent[] | undefined,
): Progress {
  const { memberId, isAdministrator, clientId, program } = wanted;
  const matches = (of: { readonly clientId?: string | undefined }, programId: string | undefined): boolean =>
    clientId === undefined ? program === undefined || programId === program : of.clientId === clientId;
  const connection = connections.find((each) => matches(each, each.program?.id));
  if (connection) {
    const done = { state: 'done', at: connection.allowedAt } as const;
    return { reached: done, signedIn: done, called: calledBy(connection, memberId, events) };
  }
  const isOwn = (event: SeenEvent): boolean =>
    event.memberId === memberId || (isAdministrator && !event.memberId && (clientId ?? program) !== undefined);
  const arrived = events?.find((event) => isOwn(event) && matches(event, event.program));
  const notSeen = { state: events ? 'waiting' : 'unknown' } as const;
  return {
    reached: arrived ? arrival(arrived) : notSeen,
    signedIn: { state: 'waiting' },
    called: { state: 'waiting' },
  };
}

function arrival({ decision, reason, ...event }: SeenEvent): Step {
  const at = secondsOf(event);
  return decision === 'refused' ? { state: 'refused', at, detail: reason } : { state: 'done', at };
}

function calledBy({ clientId }: SeenConnection, memberId: string, events: readonly SeenEvent[] | undefined): Step {
  if (!events) return { state: 'unknown' };
  const calls = events.filter((event) => event.tool && event.clientId === clientId && event.memberId === memberId);
  const call = calls.find(({ tool }) => tool?.outcome === 'succeeded') ?? calls[0];
  if (!call) return { state: 'waiting' };
  const succeeded = call.tool?.outcome === 'succeeded';
  const detail = succeeded ? call.tool.name : call.tool?.outcome;
  return { state: succeeded ? 'done' : 'refused', at: secondsOf(call), detail };
}
