import { EventEmitter } from 'node:events';
import type { AuditEvent, OnAudit } from './audit-event.ts';
import { auditEmitter, type CampusEmitter, type CampusEvents, emitFault, type OnFault } from './events.ts';
import { observeAudit } from './observer.ts';
import { currentTrace } from './request-trace.ts';
import type { Telemetry } from './telemetry.ts';

/** Where failures are reported. */
export interface Faults {
  readonly events: CampusEmitter;
  readonly onFault: OnFault;
}

export function createFaults(): Faults {
  const events: CampusEmitter = new EventEmitter<CampusEvents>();
  return {
    events,
    onFault: (message, cause) => emitFault(events, { message, cause, requestId: currentTrace()?.requestId }),
  };
}

/** What the house tells about itself: faults, audit events, traces and metrics. */
export interface Audit extends Faults {
  readonly onAudit: OnAudit;
  /** Absent if nothing is traced or counted. */
  readonly telemetry: Telemetry | undefined;
}

interface AuditSources {
  readonly faults: Faults;
  /** Keeps an event in the log. It returns at once. */
  readonly keepEvent: ((event: AuditEvent) => void) | undefined;
  readonly policies: {
    /** The app of a client whose id alone tells it. */
    readonly appIdOf: (clientId: string) => string | undefined;
    /** Whether a text is the secret of a client in code, which an app may send as its id by mistake. */
    readonly isSecret: (text: string) => boolean;
  };
}

export function createAudit(
  { telemetry }: { readonly telemetry?: Telemetry | undefined },
  { faults, policies, keepEvent }: AuditSources,
): Audit {
  const { events, onFault } = faults;
  const { isSecret } = policies;
  const appIdOf = (clientId: string): string | undefined => {
    try {
      return policies.appIdOf(clientId);
    } catch {
      // The fault is reported; what was decided is still told.
      return undefined;
    }
  };
  return {
    events,
    onFault,
    onAudit: observeAudit(auditEmitter(events, { appOf: appIdOf, isSecret, keepEvent }), telemetry),
    telemetry,
  };
}
