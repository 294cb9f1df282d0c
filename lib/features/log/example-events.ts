import type { AuditAction, AuditEvent } from '../../observe/audit-event.ts';
import { clients, exampleTime } from '../../pages/example-clients.ts';
import { blockedId, connectionIds } from '../../pages/example-ids.ts';

const told: readonly (readonly [action: AuditAction, more?: Partial<AuditEvent>])[] = [
  ['tool.called', { tool: { name: 'create_course', outcome: 'succeeded', about: 'Rope' } }],
  ['token.refreshed'],
  ['consent.narrowed', { scopes: { before: [], after: ['openid', 'account:read', 'account:write'] } }],
  ['authorization.granted', { familyId: 'laptop', address: '203.0.113.7' }],
  [
    'app.decided',
    {
      actor: { kind: 'administrator', id: 'olivia' },
      reason: 'set',
      rule: { access: 'blocked' },
      clientId: blockedId,
      memberId: undefined,
    },
  ],
  ['token.refused', { outcome: 'refused', reason: 'invalid_grant' }],
];

/** Newest first. */
export function exampleEvents(siteId: string): AuditEvent[] {
  return told.map(([action, more], i) => ({
    version: 1,
    time: new Date((exampleTime - i * 3 * 60 * 60) * 1000).toISOString(),
    eventId: String(i),
    siteId,
    action,
    outcome: 'allowed',
    actor: { kind: 'member', id: 'sam' },
    clientId: clients.ofMembers.clientId,
    memberId: 'sam',
    connectionId: connectionIds.timer,
    ...more,
  }));
}
