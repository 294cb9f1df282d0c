import { hash } from 'node:crypto';
import { newEventId } from '../../lib/observe/event-id.ts';
import { type AuditAction, type AuditActor, type AuditEvent, auditOutcomes } from '../../lib/observe/audit-event.ts';
import { randomFrom } from '../../lib/testing/store/log-events.ts';

const apps = ['claude', 'chatgpt', 'quizlet', 'kahoot', 'canva', 'notion', 'geogebra', 'desmos', 'padlet', 'miro'];
const tools = ['list_courses', 'get_assignment', 'list_lessons', 'get_grades', 'search_help'];

/** Who acts, and which share of all events that a log keeps. */
const mix: readonly (readonly [share: number, actor: AuditActor['kind'], action: AuditAction])[] = [
  [0.5, 'client', 'tool.called'],
  [0.08, 'client', 'token.issued'],
  [0.055, 'member', 'consent.given'],
  [0.0625, 'member', 'authorization.granted'],
  [0.031, 'member', 'connection.ended'],
  [0.031, 'member', 'connection.limited'],
  [0.016, 'member', 'request.made'],
  [0.0235, 'member', 'authorization.refused'],
  [0.016, 'member', 'session.ended'],
  [0.03, 'administrator', 'app.decided'],
  [0.095, 'anonymous', 'token.refused'],
  [0.06, 'anonymous', 'token.rejected'],
];

/** Milliseconds. */
export const day = 24 * 60 * 60 * 1000;

/** Events of the model happen within this time, the last of them now. */
export const span = 90 * day;

/** The school with the most events. */
export const largest = 'school-0';

function picker<T>(all: readonly (readonly [weight: number, value: T])[]): (at: number) => T {
  const sums: number[] = [];
  for (const [weight] of all) sums.push((sums.at(-1) ?? 0) + weight);
  return (at) => {
    const wanted = at * (sums.at(-1) ?? 0);
    let [low, high] = [0, sums.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    const [, value] = all[low] ?? [];
    if (value === undefined) throw new RangeError('nothing to pick from');
    return value;
  };
}

function uuidOf(text: string): string {
  const digits = hash('sha256', text, 'hex');
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `a${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}

const nameOf = (text: string): string => hash('sha256', text, 'base64url').slice(0, 22);

/** Events of many schools in the order of time. The schools have theirs by a power law, and a few people of each are busier. */
export function* modelEvents(count: number, schools: number): Generator<AuditEvent> {
  const [random, end] = [randomFrom(1), Date.now()];
  const weights = Array.from({ length: schools }, (_, i) => 1 / (i + 1));
  const sum = weights.reduce((a, b) => a + b, 0);
  const school = picker(weights.map((weight, i) => [weight, i]));
  const act = picker(mix.map((row) => [row[0], row]));
  const app = picker(apps.map((name, i) => [1 / (i + 1), name]));
  for (let i = 0; i < count; i += 1) {
    const [site, [, kind, action], its] = [school(random()), act(random()), app(random())];
    const people = Math.max(3, Math.ceil(((weights[site] ?? 0) / sum) * (count / 25)));
    const member = Math.floor(people * random() * random());
    const time = Math.floor(end - span + (i / count) * span);
    const memberId = uuidOf(`${site} ${member}`);
    const clientId = member % 3 === 0 ? `v_${its}` : nameOf(`${site} ${member} ${its}`);
    const actors: Readonly<Record<AuditActor['kind'], AuditActor>> = {
      client: { kind, id: clientId },
      member: { kind, id: memberId },
      operator: { kind, id: memberId },
      administrator: { kind, id: uuidOf(`${site} 0`) },
      anonymous: { kind },
    };
    const isKnown = kind === 'client' || kind === 'member';
    yield {
      version: 1,
      time: new Date(time).toISOString(),
      eventId: newEventId(time),
      siteId: `school-${site}`,
      action,
      outcome: auditOutcomes[action],
      actor: actors[kind],
      address: `203.0.113.${member % 256}`,
      requestId: uuidOf(`request ${i}`),
      ...(kind === 'anonymous' ? { reason: 'invalid_grant' } : { app: its }),
      ...(isKnown && { clientId, memberId, connectionId: nameOf(`${memberId} ${clientId}`) }),
      ...(action === 'tool.called' && { tool: { name: tools[i % tools.length] ?? '', outcome: 'succeeded' as const } }),
      ...(action === 'consent.given' && {
        scopes: { before: [], after: ['openid', 'courses:read', 'assignments:read'] },
      }),
    };
  }
}
