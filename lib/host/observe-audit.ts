import type { Telemetry, TokenCount } from '../contracts/telemetry.ts';
import type { AuditEvent, OnAudit } from '../runtime/events.ts';

/** Counts what audit events say of tokens, and learns from them whose request it is. */
export function observeAudit(onAudit: OnAudit, telemetry: Telemetry | undefined): OnAudit {
  if (!telemetry) return onAudit;
  return (event) => {
    const counted = tokenCount(event);
    if (counted) telemetry.tokens(counted);
    if (event.clientId !== undefined && namesFoundClient(event)) telemetry.client(event.clientId);
    onAudit(event);
  };
}

/** What an event says of tokens; `undefined` for nothing. */
function tokenCount({ what, decision, reason }: AuditEvent): TokenCount | undefined {
  switch (what) {
    case 'token':
      return { count: decision === 'allowed' ? 'issued' : 'refused', grantType: 'authorization_code', reason };
    case 'refresh':
      return { count: decision === 'allowed' ? 'issued' : 'refused', grantType: 'refresh_token', reason };
    case 'revocation':
      return decision === 'allowed' ? { count: 'revoked', reason } : undefined;
    default:
      return undefined;
  }
}

/** Events of documents and of a school's decisions name clients that the request did not come from, or that were not found. */
function namesFoundClient({ what }: AuditEvent): boolean {
  return what === 'authorization' || what === 'token' || what === 'refresh' || what === 'revocation';
}
