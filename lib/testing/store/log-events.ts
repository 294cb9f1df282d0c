import type { AuditAction, AuditActor, AuditEvent } from '../../observe/audit-event.ts';
import { auditOutcomes } from '../../observe/audit-event.ts';
import { newEventId } from '../../observe/event-id.ts';

/** Random numbers, the same in each run: mulberry32. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pick<T>(random: () => number, from: readonly [T, ...T[]]): T {
  return from[Math.floor(random() * from.length)] ?? from[0];
}

const [minute, day] = [60_000, 86_400_000];

/** As often as they happen, more or less. Ids that a store could take for something else are among them. */
const actions = [
  ...(['tool.called', 'tool.called', 'tool.called', 'tool.called', 'token.issued', 'token.issued'] as const),
  ...(['authorization.granted', 'consent.given', 'authorization.refused', 'token.rejected'] as const),
  ...(['connection.ended', 'app.decided', 'request.made', 'request.granted', 'registration.refused'] as const),
] as const satisfies readonly AuditAction[];
const people = ['sam', 'olivia', '=', '~', 'a\tb"c\\n', '學生 7', 'x'.repeat(200), 'lone \ud800', 'nul \0'] as const;
const clients = ['v_claude', 'v_claude_2', 'app-1', 'https://apps.example/client.json'] as const;
const apps: Readonly<Partial<Record<string, string>>> = { v_claude: 'claude', v_claude_2: 'claude' };

/** Events of a school in the last ten days, in the order in which they happened. */
export function eventsOf(siteId: string, count: number, random: () => number): AuditEvent[] {
  const start = Date.now() - 10 * day;
  return Array.from({ length: count }, (_, i) => {
    const time = Math.floor(start + (i * (10 * day - minute)) / count);
    return eventOf(siteId, pick(random, actions), time, random);
  });
}

function eventOf(siteId: string, action: (typeof actions)[number], time: number, random: () => number): AuditEvent {
  const [memberId, clientId, other] = [pick(random, people), pick(random, clients), pick(random, people)];
  const its = { clientId, ...(apps[clientId] !== undefined && { app: apps[clientId] }) };
  const common = {
    version: 1,
    time: new Date(time).toISOString(),
    eventId: newEventId(time),
    siteId,
    action,
    outcome: auditOutcomes[action],
  } as const;
  const request = { address: '203.0.113.7', requestId: `r-${Math.floor(random() * 200)}` };
  if (action === 'tool.called')
    return {
      ...common,
      ...actedBy('client', clientId),
      ...its,
      memberId,
      tool: { name: 'get_courses', outcome: 'succeeded', about: 'tab\there' },
      ...request,
    };
  if (action === 'token.issued')
    return { ...common, ...actedBy('client', clientId), ...its, memberId, familyId: 'f', ...request };
  if (action === 'token.rejected') return { ...common, ...actedBy('anonymous'), reason: 'unknown_token', ...request };
  if (action === 'registration.refused')
    return {
      ...common,
      ...actedBy('anonymous'),
      claimed: { name: 'Someone', redirectUris: ['https://e.example/'] },
      ...request,
    };
  if (action === 'app.decided') return { ...common, ...actedBy('administrator', other), app: 'claude', ...request };
  if (action === 'connection.ended' && random() < 0.5)
    return {
      ...common,
      ...actedBy('administrator', other),
      ...its,
      connections: people.length,
      memberIds: people,
      reason: 'administrator',
      ...request,
    };
  if (action === 'request.granted')
    return { ...common, ...actedBy('administrator', other), ...its, memberId, ...request };
  return { ...common, ...actedBy('member', memberId), ...its, memberId, ...request };
}

function actedBy(kind: AuditActor['kind'], id?: string): { readonly actor: AuditActor } {
  return { actor: { kind, ...(id !== undefined && { id }) } };
}
