import type { ClientAudience } from '../../core/clients/client.ts';
import type { AuditedTool, OnAudit } from '../../observe/audit-event.ts';
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
  const { clientId, member } = access ?? {};
  const parties = access && { actor: { kind: 'client', id: clientId } as const, clientId, memberId: member?.id };
  const tool = { name, outcome, ...(about !== undefined && { about }) };
  onAudit({ action: 'tool.called', siteId: site.id, ...refused, ...parties, fromStranger: !access, tool });
}
