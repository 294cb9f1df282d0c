import type { Application } from '../core/applications/application.ts';
import type { Connection } from '../core/connections/connection.ts';
import type { Decided } from '../core/clients/client-status.ts';
import type { ConnectedClient } from '../core/clients/listed-client.ts';
import type { SeenDocument } from '../core/reviews/document-review.ts';
import type { AllowedPerson, ListedProgram } from '../core/decisions/program-rule.ts';
import type { SchoolRoles } from '../core/decisions/school-roles.ts';
import type { SchoolApp } from '../features/programs/domain/school-apps.ts';
import type { ProgramRequest } from '../core/applications/request.ts';
import type { Scope, ScopeCatalogue } from '../core/scopes/scopes.ts';
import { clients, documentUrl, exampleTime, people, someScopes } from '../pages/examples/example-clients.ts';

const day = 24 * 60 * 60;

/** What a school has. */
export interface ExampleData {
  readonly applications: readonly Application[];
  readonly connections: readonly Connection[];
  readonly connected: readonly ConnectedClient[];
  readonly documents: readonly SeenDocument[];
  readonly programs: readonly ListedProgram[];
  readonly apps: readonly SchoolApp[];
  readonly schoolRoles: SchoolRoles;
  readonly allowedPeople: readonly AllowedPerson[];
  readonly requests: readonly ProgramRequest[];
}

export const noData: ExampleData = {
  applications: [],
  connections: [],
  connected: [],
  documents: [],
  programs: [],
  apps: [],
  schoolRoles: { roles: [{ role: 'owner', name: 'owner' }], isComplete: false },
  allowedPeople: [],
  requests: [],
};

export function exampleData(catalogue: ScopeCatalogue): ExampleData {
  const identity = someScopes(catalogue, 'member', { identity: 2 });
  const own = someScopes(catalogue, 'member', { read: 1, write: 1 });
  const given = someScopes(catalogue, 'member', { read: 1 });
  const refused = someScopes(catalogue, 'member', { write: 1 });
  const managed = someScopes(catalogue, 'operator', { read: 2, write: 1 });
  return {
    applications: [
      { ...clients.ofMembers, ...created, scopes: [...identity, ...own] },
      { ...clients.ofOperators, ...created, scopes: [...identity, ...managed], confidential: false },
      { ...clients.service, ...created, scopes: managed },
    ],
    connections: [
      { ...connection, scopes: [...identity, ...given], refused },
      { ...connection, ...board, id: 'board', scopes: given, refused },
    ],
    connected: [
      { ...described, scopes: own, redirectUris, people: 12, lastActiveAt: exampleTime, status: 'allowed' },
      { ...board, scopes: own, redirectUris: [], people: 0, blockedAt: exampleTime - day, status: 'blocked' },
    ],
    documents: [
      planner,
      { ...planner, clientId: 'https://tutor.example/client.json', clientName: 'Tutor', ...unreviewed },
    ],
    programs: programs(managed),
    apps: apps(programs(managed)),
    schoolRoles,
    allowedPeople: [
      { memberId: people.member.id, at: exampleTime, by: people.operator.id },
      { memberId: 'gone', at: exampleTime - day },
    ],
    requests,
  };
}

const created = {
  program: undefined,
  createdBy: people.operator.id,
  version: 'now',
  createdAt: exampleTime - 90 * day,
};

const { clientId, clientName, audience, source, firstParty, redirectUris } = clients.ofMembers;
const described = { clientId, clientName, audience, source, firstParty, host: 'timer.example' };
const board = {
  ...described,
  clientId: 'board',
  clientName: 'Notice Board',
  host: undefined,
  source: 'registered',
} as const;

const connection: Connection = {
  ...described,
  id: 'timer',
  scopes: [],
  createdAt: exampleTime - 30 * day,
  allowedAt: exampleTime - 2 * day,
  lastUsedAt: exampleTime,
  expiresAt: exampleTime + 363 * day,
  refused: [],
  devices: [{ id: 'laptop', lastUsedAt: exampleTime }, { id: 'phone' }],
};

const planner: SeenDocument = {
  clientId: documentUrl,
  clientName: 'Planner',
  redirectUris: clients.document.redirectUris,
  digest: 'new',
  seenAt: exampleTime - day,
  decidedAt: exampleTime - 30 * day,
  status: 'changed',
  approved: { clientName: 'Planner beta', redirectUris: ['https://planner.example/old'] },
};
const unreviewed = { status: 'unreviewed', approved: undefined, decidedAt: undefined } as const;

/** The rule for Claude names one that is gone. */
const schoolRoles: SchoolRoles = {
  roles: [
    { role: 'owner', name: 'Owner' },
    { role: 'teacher', name: 'Teacher' },
    { role: 'student', name: 'Student' },
  ],
  isComplete: true,
};

export const exampleDecision: Decided = {
  at: exampleTime - day,
  by: people.operator.id,
  reason: 'It may read for our lessons, and change nothing.',
};

function publisher(id: string, name: string, verified = true) {
  return { known: { id, name, publisher: name, verified } };
}

/** One of each status and origin. */
function apps([claude, chatgpt]: readonly ListedProgram[]): SchoolApp[] {
  const none = { rule: { access: 'allowed' }, status: 'allowed', from: 'default', people: 0 } as const;
  return [
    ...(claude ? [{ ...claude, ...publisher('claude', 'Anthropic'), lastActiveAt: exampleTime }] : []),
    ...(chatgpt ? [{ ...chatgpt, ...publisher('chatgpt', 'OpenAI'), lastActiveAt: exampleTime - day }] : []),
    { ...none, ...described, clientName, people: 12, lastActiveAt: exampleTime },
    { ...none, ...board, rule: { access: 'blocked' }, status: 'blocked', from: 'school', decided: exampleDecision },
    {
      ...none,
      ...described,
      clientId: 'export',
      clientName: 'Attendance export',
      audience: 'service',
      lastActiveAt: exampleTime,
    },
    {
      ...none,
      clientId: documentUrl,
      clientName: 'Planner',
      source: 'document',
      host: 'planner.example',
      status: 'view_only',
      people: 3,
    },
    {
      ...none,
      program: 'codex',
      clientName: 'Codex',
      rule: { access: 'ask' },
      status: 'needs_approval',
      ...publisher('codex', 'OpenAI'),
    },
  ];
}

function programs(scopes: readonly Scope[]): ListedProgram[] {
  const rule = { access: 'view_only', roles: ['owner', 'tutor'], scopes } as const;
  return [
    {
      program: 'claude',
      clientName: 'Claude',
      rule,
      status: 'view_only',
      from: 'school',
      own: rule,
      decided: exampleDecision,
      people: 3,
    },
    {
      program: 'chatgpt',
      clientName: 'ChatGPT',
      rule: { access: 'allowed' },
      status: 'allowed',
      from: 'default',
      people: 1,
    },
  ];
}

const redirects = { redirectUris: ['https://chess.example/callback'] };
const asked = { memberId: people.member.id, ...redirects, reason: '', at: exampleTime, version: 'example' };
const requests: readonly ProgramRequest[] = [
  { ...asked, id: 'open', program: 'other', clientName: 'Chess Club', reason: 'For the chess club', status: 'open' },
  { ...asked, id: 'connect', program: 'other', clientName: 'Notice Board', status: 'open', connects: 'board' },
  {
    ...asked,
    id: 'allowed',
    program: 'chatgpt',
    clientName: 'ChatGPT',
    status: 'granted',
    connects: clients.ofOperators.clientId,
  },
  {
    ...asked,
    id: 'granted',
    program: 'claude',
    clientName: 'Claude',
    status: 'granted',
    clientId,
    by: people.operator.id,
  },
  {
    ...asked,
    id: 'declined',
    program: 'cursor',
    clientName: 'Cursor',
    status: 'declined',
    answer: 'Please use VS Code.',
    by: people.operator.id,
  },
];
