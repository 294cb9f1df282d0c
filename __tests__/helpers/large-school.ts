import { grantIdOf, serializeRecord } from '../../lib/records/codec.ts';
import { digest } from '../../lib/kernel/crypto.ts';
import type { AuditAction, AuditEvent, CampusOptions, Member, StaticClient } from '../../lib/index.ts';
import { type EventQuestion, isAnswer } from '../../lib/observe/event-question.ts';
import type { Store } from '../../lib/store.ts';
import { type Schools, startSchools } from './schools.ts';
import { siteOf } from './sites.ts';
import { countedStore } from './stores.ts';

/** A school with 60 apps, 5,000 people and 967 connections, of which 26 were made last week. */
export interface LargeSchool {
  readonly schools: Schools;
  readonly store: Store;
  /** The calls of the store since the test emptied it. */
  readonly calls: string[];
  /** What the log was asked since the test emptied it. */
  readonly questions: EventQuestion[];
  /** People whom the platform cannot look up now. */
  readonly lost: Set<string>;
}

const peopleCount = 5000;

/** The apps with the most people, and how many each has. */
const favourites = [
  ['moodle', 'Moodle', 257],
  ['quizlet', 'Quizlet', 214],
  ['kahoot', 'Kahoot!', 152],
  ['padlet', 'Padlet', 80],
  ['choir', 'Choir planner', 7],
] as const;

const others = Array.from({ length: 55 }, (_, i) => [`tool-${i}`, `Tool ${i}`, i < 49 ? 5 : 2] as const);

const apps: readonly StaticClient[] = [...favourites, ...others].map(([clientId, clientName], i) => ({
  clientId,
  clientName,
  audience: 'member',
  redirectUris: [`https://${clientId}.example/callback`],
  scopes: i % 6 === 2 ? ['openid', 'account:read', 'account:write'] : ['openid', 'account:read'],
  clientUri: `https://${clientId}.example/`,
}));

const firstNames = ['Ada', 'Ben', 'Chloe', 'Daniel', 'Eva', 'Femi', 'Grace', 'Hugo', 'Ines', 'Jonas'];
const lastNames = ['Adeyemi', 'Brown', 'Chen', 'Diaz', 'Evans', 'Fischer', 'Garcia', 'Huang', 'Ito', 'Jones'];

/** Every sixth is a teacher. Sam is one of 5,000. */
function member(id: string): Member | undefined {
  if (id === 'sam') return { id, name: 'Sam Rivera', email: 'sam@example.com', roles: ['student'] };
  if (id === 'olivia') return { id, name: 'Olivia Marsh', email: 'olivia@example.com', roles: ['owner'] };
  const number = /^m-(\d+)$/.exec(id)?.[1];
  if (number === undefined || Number(number) >= peopleCount) return undefined;
  const i = Number(number);
  const name = `${firstNames[i % 10]} ${lastNames[Math.floor(i / 10) % 10]} ${i}`;
  return { id, name, email: `${id}@example.com`, roles: [i % 6 === 0 ? 'teacher' : 'student'] };
}

const all = Array.from({ length: peopleCount - 2 }, (_, i) => `m-${i}`);

/** Who uses an app: the first is Sam, where an app has more than 100. */
const peopleOf = (count: number): string[] => [...(count > 100 ? ['sam'] : []), ...all].slice(0, count);

const secondsOfDay = 24 * 60 * 60;

/** Starts it, with a log of the last two weeks unless the options say otherwise. */
export async function startLargeSchool(options: Partial<CampusOptions> = {}): Promise<LargeSchool> {
  const { store, calls } = countedStore();
  const now = Math.floor(Date.now() / 1000);
  const log = weeks(now);
  const questions: EventQuestion[] = [];
  const lost = new Set<string>();
  const schools = await startSchools({
    campus: {
      store,
      clients: apps,
      log: {
        list: (site, question) => {
          questions.push(question);
          return { events: answers(log, question, site.id) };
        },
      },
      ...options,
    },
    platform: {
      findMember: (_site, id) => {
        if (lost.has(id)) throw new Error(`${id} cannot be looked up`);
        return member(id);
      },
      searchMembers: (_site, text) =>
        ['sam', 'olivia', ...all].flatMap((id) => {
          const found = member(id);
          const isFound = found?.name?.toLowerCase().includes(text.toLowerCase()) === true;
          return found && isFound ? [found] : [];
        }),
      roles: () => [
        { role: 'owner', name: 'Owner' },
        { role: 'teacher', name: 'Teacher' },
        { role: 'student', name: 'Student' },
      ],
    },
  });
  const site = siteOf(schools);
  await schools.campus.apps.set(site, { clientId: 'kahoot' }, { access: 'view_only' });
  await schools.campus.apps.set(site, { clientId: 'quizlet' }, { access: 'allowed', roles: ['teacher', 'student'] });
  for (const [clientId, , count] of [...favourites, ...others])
    await connectAll(store, { clientId, origin: site.origin }, count, now);
  calls.length = 0;
  return { schools, store, calls, questions, lost };
}

interface Connected {
  readonly clientId: string;
  readonly origin: string;
}

async function connectAll(store: Store, { clientId, origin }: Connected, count: number, now: number): Promise<void> {
  const at = now - (count === 2 ? 100 * secondsOfDay : 0);
  // Padlet is new.
  const since = now - (clientId === 'padlet' ? 2 : 50) * secondsOfDay;
  const noted = { client_id: clientId, at, since };
  await store.save('harbour', {
    kind: 'ConnectedClient',
    id: digest(clientId),
    record: JSON.stringify({ v: 1, ...noted }),
    listed: true,
  });
  for (const memberId of peopleOf(count)) {
    const ttl = 60 * secondsOfDay;
    const times = { iat: now - 30 * secondsOfDay, exp: now + ttl };
    const grant = {
      accountId: memberId,
      clientId,
      scope: 'openid account:read',
      resource: origin,
      declined: '',
      ...times,
    };
    const record = serializeRecord('Grant', grant);
    await store.save('harbour', { kind: 'Grant', id: grantIdOf(memberId, clientId), record, ttl, memberId, clientId });
  }
}

/** 26 people connected five apps in the last seven days, four disconnected one and three were refused. Another 3 connected one before that. */
function weeks(now: number): AuditEvent[] {
  const rows: (readonly [action: AuditAction, clientId: string, memberId: string, days: number])[] = [
    ...all.slice(0, 14).map((id, i) => ['consent.given', 'quizlet', id, i % 7] as const),
    ...all.slice(20, 25).map((id) => ['consent.given', 'moodle', id, 3] as const),
    ...all.slice(30, 34).map((id) => ['consent.narrowed', 'kahoot', id, 2] as const),
    ...all.slice(40, 42).map((id) => ['consent.given', 'padlet', id, 1] as const),
    ['consent.given', 'choir', 'm-50', 5],
    ...all.slice(60, 64).map((id) => ['connection.ended', 'tool-1', id, 4] as const),
    ...all.slice(70, 73).map((id) => ['authorization.refused', 'tool-2', id, 2] as const),
    ...all.slice(80, 83).map((id) => ['consent.given', 'tool-3', id, 10] as const),
  ];
  const events = rows.map(([action, clientId, memberId, days], i): AuditEvent => ({
    version: 1,
    time: new Date((now - days * secondsOfDay - 60 - i) * 1000).toISOString(),
    eventId: `event-${i}`,
    siteId: 'harbour',
    action,
    outcome: action === 'authorization.refused' ? 'refused' : 'allowed',
    ...(action === 'authorization.refused' && { reason: 'client_blocked' }),
    actor: { kind: 'member', id: memberId },
    clientId,
    memberId,
    ...(clientId === 'choir' && { scopes: { before: [], after: ['openid', 'account:read', 'account:write'] } }),
  }));
  return events.sort((a, b) => Date.parse(b.time) - Date.parse(a.time));
}

function answers(log: readonly AuditEvent[], question: EventQuestion, siteId: string): AuditEvent[] {
  return siteId === 'harbour' ? log.filter((event) => isAnswer(event, question)) : [];
}
