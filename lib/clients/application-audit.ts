import type { Site } from '../contracts/platform.ts';
import type { AuditAction, AuditDetails, OnAudit } from '../runtime/audit-event.ts';

/** Reports what an operator has done with an application. */
export type Report = (action: AuditAction, site: Site, clientId: string, details?: Partial<AuditDetails>) => void;

export function applicationReporter(onAudit: OnAudit): Report {
  return (action, { id: siteId }, clientId, details) =>
    onAudit({ action, siteId, actor: { kind: 'operator' }, clientId, ...details });
}
