import { randomUUID } from 'node:crypto';
import { type AuditAction, auditDecisions, type AuditDetails, type AuditEvent, type OnAudit } from './audit-event.ts';
import { type CampusEmitter, emitAudit } from './events.ts';
import type { RequestTrace } from './request-trace.ts';
import { currentTrace } from './timeout.ts';
import { boundedCache } from './bounded-cache.ts';
import { WindowCounters } from './window-counters.ts';

/** Actions of which anyone can cause any number. */
const sampled: ReadonlySet<AuditAction> = new Set(['token.rejected', 'quota.exceeded']);

/** Actions that say which connection and device the access token of the request belongs to. */
const ofToken: ReadonlySet<AuditAction> = new Set(['tool.called', 'quota.exceeded']);

/** Events of a sampled action in a minute, at one site and in this process. */
const perMinute = 60;

/**
 * Completes events from the request that is being handled. Costs nothing while nobody listens.
 *
 * @param programOf - the program of a client whose id alone says it
 */
export function auditEmitter(
  events: CampusEmitter,
  programOf: (clientId: string) => string | undefined = () => undefined,
): OnAudit {
  const omit = createSampler();
  return (details) => {
    if (events.listenerCount('audit') === 0) return;
    const omitted = sampled.has(details.action) ? omit(`${details.action} ${details.siteId}`) : undefined;
    if (omitted === 'this') return;
    const [{ clientId = '' }, trace] = [details, currentTrace()];
    const program = details.program ?? trace?.programs.get(clientId) ?? programOf(clientId);
    emitAudit(events, completed({ ...details, program }, trace, omitted));
  };
}

function completed(details: AuditDetails, trace: RequestTrace | undefined, omitted: number | undefined): AuditEvent {
  const { siteId, action, decision = auditDecisions[action], reason, actor, clientId, program, memberId } = details;
  const token = ofToken.has(action) ? trace?.token?.() : undefined;
  const { connectionId = token?.connectionId, familyId = token?.familyId, connections, scopes, tool } = details;
  const event: AuditEvent = {
    version: 1,
    time: new Date(Date.now()).toISOString(),
    eventId: randomUUID(),
    siteId,
    action,
    decision,
    actor: trace?.actor ?? actor ?? { kind: 'anonymous' },
    reason,
    clientId,
    program,
    memberId,
    connectionId,
    familyId,
    connections,
    scopes,
    tool,
    omitted,
    address: trace?.address,
    requestId: trace?.requestId,
    traceId: trace?.traceId,
  };
  for (const [name, value] of Object.entries(event)) if (value === undefined) Reflect.deleteProperty(event, name);
  return event;
}

/** Says of each event of a name that it is left out (`this`), or how many were left out before it. */
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
