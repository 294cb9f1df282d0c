import type { ClientAudience, TokenOf } from '../../core/clients/client.ts';
import type { OnAudit, ToolOutcome, EventDetails } from '../../observe/audit-event.ts';
import type { OnFault } from '../../observe/events.ts';
import type { Site } from '../../host/school-platform.ts';

/** Where the calls of tools are reported. */
export interface ToolReports {
  readonly onFault: OnFault;
  readonly onAudit: OnAudit;
}

/** Who called, and of which school. */
export interface Caller {
  readonly site: Site;
  readonly token: TokenOf<ClientAudience> | undefined;
}

/** Reports a call of a tool, never its arguments. */
export function auditTool(onAudit: OnAudit, caller: Caller, name: string, outcome: ToolOutcome, about?: string): void {
  const refused = outcome === 'refused' ? ({ outcome: 'refused', reason: 'insufficient_scope' } as const) : undefined;
  const tool = { name, outcome, ...(about !== undefined && { about }) };
  onAudit({
    action: 'tool.called',
    siteId: caller.site.id,
    ...refused,
    ...partiesOf(caller),
    fromStranger: !caller.token,
    tool,
  });
}

/** Reports an error of the protocol, by its code: an app whose tools do not work says no more to anybody. JSON-RPC 2.0 section 5.1. */
export function auditMessage(onAudit: OnAudit, caller: Caller, code: number): void {
  onAudit({ action: 'message.refused', siteId: caller.site.id, reason: String(code), ...partiesOf(caller) });
}

function partiesOf({ token }: Caller): EventDetails | undefined {
  if (!token) return undefined;
  const { clientId, member } = token;
  return { actor: { kind: 'client', id: clientId }, clientId, memberId: member?.id };
}
