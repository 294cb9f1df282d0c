import type { ClientAudience, ClientInfo } from '../core/clients/client.ts';
import type { Member } from '../host/school-platform.ts';
import type { Scope, ScopeAccess, ScopeCatalogue } from '../core/scopes/scopes.ts';

/** 20 May 2026 at noon: examples look the same every day. */
export const exampleTime = 1_779_278_400;

export const people: Readonly<Record<'operator' | 'teacher' | 'member' | 'pupil' | 'nobody', Member>> = {
  operator: { id: 'olivia', name: 'Olivia Operator', email: 'olivia@school.example', roles: ['owner'] },
  teacher: { id: 'tess', name: 'Tess Teacher', email: 'tess@school.example', roles: ['teacher'] },
  member: { id: 'sam', name: 'Sam Student', email: 'sam@school.example', roles: ['student'] },
  // Without an address, as many pupils are.
  pupil: { id: 'pia', name: 'Pia Pupil', roles: ['student'] },
  nobody: { id: 'nora', name: 'Nora Nobody', email: 'nora@school.example', roles: [] },
};

/** The names of those who have what a person has. */
const others =
  'Ana Alves, Ben Baker, Chen Wei, Dina Darwish, Eli Evans, Fay Fox, Gil Gold, Hana Honda, Ivy Irwin, Jon Jung, Kim Klein';
const names = others.split(', ');

/** A person, and others with the same roles. */
export function classOf(person: Member, size: number): Member[] {
  return [
    person,
    ...names.slice(0, size - 1).map((name, i) => ({ id: `${person.id}-${i + 1}`, name, roles: person.roles })),
  ];
}

const everyone = Object.values(people).flatMap((person) => classOf(person, names.length + 1));

export function findExamplePerson(id: string): Member | undefined {
  return everyone.find((person) => person.id === id);
}

export const documentUrl = 'https://planner.example/oauth/client.json';

const timer: ClientInfo = {
  clientId: 'app-timer',
  clientName: 'Study Timer',
  audience: 'member',
  confidential: true,
  redirectUris: ['https://timer.example/callback'],
  clientUri: 'https://timer.example/',
  source: 'application',
  reviewed: true,
  firstParty: false,
};

const unknown = { ...timer, audience: 'operator', confidential: false, reviewed: false } as const;

/** One of each kind. */
export const clients: Readonly<
  Record<'ofMembers' | 'ofOperators' | 'service' | 'registered' | 'document', ClientInfo>
> = {
  ofMembers: timer,
  ofOperators: { ...timer, clientId: 'app-chat', clientName: 'School Chat', audience: 'operator' },
  service: {
    ...timer,
    clientId: 'app-export',
    clientName: 'Attendance export',
    audience: 'service',
    redirectUris: [],
    clientUri: undefined,
  },
  registered: {
    ...unknown,
    clientName: 'Terminal Helper',
    redirectUris: ['http://127.0.0.1:50123/callback'],
    source: 'registered',
  },
  document: {
    ...unknown,
    clientId: documentUrl,
    clientName: 'Planner',
    redirectUris: ['https://planner.example/callback'],
    source: 'document',
  },
};

/** How many scopes of each kind. */
export type ScopeCounts = Partial<Readonly<Record<ScopeAccess, number>>>;

/** The first of each kind that a client of an audience can have: a host can leave any of them out. */
export function someScopes({ rows, mayHave }: ScopeCatalogue, audience: ClientAudience, counts: ScopeCounts): Scope[] {
  const possible = rows.filter(({ scope }) => mayHave(audience, scope));
  const first = (kind: ScopeAccess) => possible.filter(({ access }) => access === kind).slice(0, counts[kind] ?? 0);
  return (['identity', 'read', 'write'] as const).flatMap(first).map(({ scope }) => scope);
}
