import { WindowCounters } from '../kernel/window-counters.ts';
import { boundedCache } from '../kernel/bounded-cache.ts';
import { isoTime, newEventId } from './event-id.ts';
import { notLogged } from './log-kind.ts';
import { currentTrace, type RequestTrace, type TokenParties, type TracedClient } from './request-trace.ts';
import type { EventEmitter } from 'node:events';
import { inspect } from 'node:util';
import { type AuditAction, auditOutcomes, type AuditDetails, type AuditEvent, type OnAudit } from './audit-event.ts';
import type { AuditedClaims } from './claimed-metadata.ts';

/** A failure on the server's side, such as the store, the platform or a listener. A caller may have got 500 or 503. */
export interface FaultEvent {
  /** A description of the failure, for example `platform.findMember failed`. */
  readonly message: string;
  /** The thrown error. */
  readonly cause: unknown;
  /** The reference on the error page, and the `requestId` of audit events. Absent outside requests. */
  readonly requestId?: string | undefined;
}

/** The events of a campus, by name. */
export interface CampusEvents {
  fault: [FaultEvent];
  audit: [AuditEvent];
}

/** The emitter of `campus.events`. */
export type CampusEmitter = EventEmitter<CampusEvents>;

/** Reports a fault, with its cause, before the caller gets 500 or 503. */
export type OnFault = (message: string, cause: unknown) => void;

/** Reports a fault; one that nothing listens to becomes a process warning, so that it is not lost. */
export function emitFault(events: CampusEmitter, fault: FaultEvent): void {
  if (events.listenerCount('fault') === 0) return warn(fault);
  notify(events, 'fault', fault, warn);
}

/** A listener that fails is a fault, and changes no response. */
export function emitAudit(events: CampusEmitter, event: AuditEvent): void {
  notify(events, 'audit', event, (failure) => emitFault(events, failure));
}

/** `EventEmitter.emit` stops at the first listener that throws, and a promise that a listener returns would end the process. */
function notify<N extends keyof CampusEvents>(
  events: CampusEmitter,
  name: N,
  event: CampusEvents[N][0],
  onFailure: (failure: FaultEvent) => void,
): void {
  for (const listener of events.rawListeners(name)) {
    const call = async (): Promise<unknown> => Reflect.apply(listener, events, [event]);
    call().catch((cause: unknown) => onFailure({ message: `a listener of campus.events "${name}" failed`, cause }));
  }
}

function warn({ message, cause }: FaultEvent): void {
  const detail = 'To handle faults yourself, listen to campus.events "fault".';
  // String() throws for an object without a prototype.
  const thrown = cause instanceof Error ? String(cause) : inspect(cause, { depth: 0 });
  process.emitWarning(`${message}: ${thrown}`, { type: 'CampusWarning', detail });
}

/** What anyone can cause again and again, beside what comes from a stranger. */
export const sampled: ReadonlySet<AuditAction> = new Set([
  'token.rejected',
  'quota.exceeded',
  'authorization.refused',
  'token.reused',
  'registration.admitted',
  'registration.refused',
  'document.unreachable',
  'logout.refused',
  'message.refused',
]);

/** Each person who is signed in, or whose token was sent, has a share of their own of these, so that strangers leave out nothing of theirs. */
const sampledByPerson: ReadonlySet<AuditAction> = new Set([
  'authorization.refused',
  'token.refused',
  'token.reused',
  'revocation.refused',
  'introspection.refused',
  'logout.refused',
  'message.refused',
]);

/** Actions that say which connection and device the access token of the request belongs to. */
const ofToken: ReadonlySet<AuditAction> = new Set(['tool.called', 'message.refused', 'quota.exceeded']);

/** Events of a sampled action in a minute, at one school and in this process. */
const perMinute = 60;

interface Emitting {
  /** The app of a client whose id alone says it. */
  readonly appOf?: (clientId: string) => string | undefined;
  /** Whether a text is the secret of a client in code. */
  readonly isSecret?: (text: string) => boolean;
  /** Keeps an event in the log. It is called directly: a promise for each event would cost as much as to make it. */
  readonly keepEvent?: ((event: AuditEvent) => void) | undefined;
}

/** Completes events from the request that is being handled. */
export function auditEmitter(
  events: CampusEmitter,
  { appOf = () => undefined, isSecret = () => false, keepEvent }: Emitting = {},
): OnAudit {
  const omit = createSampler();
  return (details) => {
    const isKept = keepEvent && !notLogged.has(details.action);
    if (!isKept && events.listenerCount('audit') === 0) return;
    const isSampled = sampled.has(details.action) || details.fromStranger === true;
    const omitted = isSampled ? omit(sampleOf(details)) : undefined;
    if (omitted === 'this') return;
    const trace = currentTrace();
    const token = ofToken.has(details.action) ? trace?.token?.() : undefined;
    const { clientId = '', app = appAmong([trace?.client, token], clientId) ?? appOf(clientId) } = details;
    const claimed = withoutSecret(details.claimed, isSecret);
    const event = completed(details, trace, { token, app, claimed, omitted });
    if (isKept) keepEvent(event);
    emitAudit(events, event);
  };
}

/** Some apps are configured with the id and the secret in each other's place. */
function withoutSecret(
  claimed: AuditedClaims | undefined,
  isSecret: (text: string) => boolean,
): AuditedClaims | undefined {
  if (claimed?.clientId === undefined || !isSecret(claimed.clientId)) return claimed;
  const { clientId: _secret, ...others } = claimed;
  return Object.keys(others).length > 0 ? others : undefined;
}

function sampleOf({ action, siteId, memberId }: AuditDetails): string {
  return JSON.stringify([action, siteId, sampledByPerson.has(action) ? memberId : undefined]);
}

/** The app of the client on which a page acts, or whose access token it is, for events of code that has not looked it up. */
function appAmong(clients: readonly (TracedClient | undefined)[], clientId: string): string | undefined {
  return clients.find((client) => client?.clientId === clientId)?.app;
}

/** What is found out where an event is reported. */
interface FoundOut {
  readonly token: TokenParties | undefined;
  readonly app: string | undefined;
  readonly claimed: AuditedClaims | undefined;
  readonly omitted: number | undefined;
}

/** Members that are absent are never set: an object from which members are deleted is several times slower, also for those who read it. */
function completed(details: AuditDetails, trace: RequestTrace | undefined, found: FoundOut): AuditEvent {
  const { token, app, claimed, omitted } = found;
  const { siteId, action, outcome = auditOutcomes[action], reason, actor } = details;
  const { clientId, clientName, memberId, connections, memberIds, scopes, only, rule, approved, first, tool } = details;
  const { incident, memberDigest } = details;
  const { connectionId = token?.connectionId, familyId = token?.familyId } = details;
  const now = Date.now();
  const event: Writable<AuditEvent> = {
    version: 1,
    time: isoTime(now),
    eventId: newEventId(now),
    siteId,
    action,
    outcome,
    actor: trace?.actor ?? actor ?? { kind: 'anonymous' },
  };
  if (reason !== undefined) event.reason = reason;
  if (clientId !== undefined) event.clientId = clientId;
  if (clientName !== undefined) event.clientName = clientName;
  if (claimed !== undefined) event.claimed = claimed;
  if (app !== undefined) event.app = app;
  if (memberId !== undefined) event.memberId = memberId;
  if (memberDigest !== undefined) event.memberDigest = memberDigest;
  if (connectionId !== undefined) event.connectionId = connectionId;
  if (familyId !== undefined) event.familyId = familyId;
  if (connections !== undefined) event.connections = connections;
  if (memberIds !== undefined) event.memberIds = memberIds;
  if (scopes !== undefined) event.scopes = scopes;
  if (only !== undefined) event.only = only;
  if (rule !== undefined) event.rule = rule;
  if (incident !== undefined) event.incident = incident;
  if (approved !== undefined) event.approved = approved;
  if (first !== undefined) event.first = first;
  if (tool !== undefined) event.tool = tool;
  if (omitted !== undefined) event.omitted = omitted;
  if (trace) {
    const { address, requestId, traceId } = trace;
    if (address !== undefined) event.address = address;
    event.requestId = requestId;
    if (traceId !== undefined) event.traceId = traceId;
  }
  return event;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Makes the sampling verdict for each event, by its name: `this` event is left out, or it is kept, with the number left out before it. */
function createSampler(): (name: string) => number | undefined | 'this' {
  const counters = new WindowCounters(60);
  const omitted = boundedCache<number>(10_000);
  return (name) => {
    const before = omitted.get(name);
    if (counters.use([{ name, limit: perMinute }]) === undefined) {
      omitted.delete(name);
      return before;
    }
    omitted.set(name, (before ?? 0) + 1);
    return 'this';
  };
}
