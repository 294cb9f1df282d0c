import type { ClientAudience } from '../../core/clients/client.ts';
import type { AuditDetails, AuditedTool, OnAudit } from '../../observe/audit-event.ts';
import type { PluginServices } from '../../plugin-contract/plugin.ts';
import type { ToolCall } from '../../plugin-contract/tools.ts';

/** Where the calls of tools are reported. */
export type ToolReports = Pick<PluginServices, 'onFault' | 'onAudit'>;

/** Who called, and of which school. */
export type Caller = Omit<ToolCall<ClientAudience>, 'signal'>;

/** Reports a call of a tool, never its arguments. */
export function auditTool(
  onAudit: OnAudit,
  { site, access }: Caller,
  name: string,
  outcome: AuditedTool['outcome'],
  about?: string,
): void {
  const refused = outcome === 'refused' ? ({ decision: 'refused', reason: 'insufficient_scope' } as const) : undefined;
  const tool = { name, outcome, ...(about !== undefined && { about }) };
  onAudit({ action: 'tool.called', siteId: site.id, ...refused, ...partiesOf(access), fromStranger: !access, tool });
}

/** Reports an error of the protocol, by its code: a program whose tools do not work says no more to anybody. JSON-RPC 2.0 section 5.1. */
export function auditMessage(onAudit: OnAudit, { site, access }: Caller, code: number): void {
  onAudit({ action: 'message.refused', siteId: site.id, reason: String(code), ...partiesOf(access) });
}

function partiesOf(access: Caller['access']): Pick<AuditDetails, 'actor' | 'clientId' | 'memberId'> | undefined {
  if (!access) return undefined;
  const { clientId, member } = access;
  return { actor: { kind: 'client', id: clientId }, clientId, memberId: member?.id };
}
