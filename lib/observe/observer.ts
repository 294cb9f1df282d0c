import type { Telemetry, TokenCount, Observed } from './telemetry.ts';
import type { AuditAction, OnAudit } from './audit-event.ts';

type Observe = <A extends unknown[], R>(
  operation: string,
  call: (...args: A) => Promise<R>,
) => (...args: A) => Promise<R>;

/** Observes calls as callers see them, with their time limit. Without telemetry a call stays as it is. */
export function observer(telemetry: Telemetry | undefined, to: Observed): Observe {
  if (!telemetry) return (_operation, call) => call;
  return (operation, call) => {
    const observed = { to, operation };
    return (...args) => (telemetry.isOn() ? telemetry.call(observed, () => call(...args)) : call(...args));
  };
}

/** Counts what is audited of tokens, also while nobody listens, and learns from it whose request it is. */
export function observeAudit(onAudit: OnAudit, telemetry: Telemetry | undefined): OnAudit {
  if (!telemetry) return onAudit;
  return (details) => {
    const counted = tokenCounts[details.action];
    if (counted) {
      const { grantType, reason, connections: amount } = details;
      telemetry.tokens({ grantType, reason, amount, ...counted });
    }
    if (details.clientId !== undefined && ofFoundClients.has(details.action)) telemetry.client(details.clientId);
    onAudit(details);
  };
}

/** How audit actions are counted as events of tokens. The reason of a count is the reason of its event, unless the row has its own. */
const tokenCounts: Readonly<Partial<Record<AuditAction, TokenCount>>> = {
  'token.issued': { count: 'issued' },
  'token.refreshed': { count: 'issued' },
  'token.replayed': { count: 'issued', reason: 'replayed' },
  'token.refused': { count: 'refused' },
  'token.reused': { count: 'refused', reason: 'reused' },
  'token.lost_race': { count: 'refused', reason: 'lost_race' },
  'token.revoked': { count: 'revoked' },
  'connection.ended': { count: 'revoked' },
};

/** Other actions name clients that the request did not come from, or that were not found. */
const ofFoundClients: ReadonlySet<AuditAction> = new Set<AuditAction>([
  'authorization.granted',
  'authorization.refused',
  'consent.given',
  'consent.narrowed',
  'consent.denied',
  'token.issued',
  'token.refreshed',
  'token.replayed',
  'token.refused',
  'token.reused',
  'token.lost_race',
  'token.revoked',
  'revocation.refused',
  'introspection.refused',
]);
