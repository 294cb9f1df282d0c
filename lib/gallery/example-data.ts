import type { Application } from '../contracts/application.ts';
import type { ClientInfo } from '../contracts/client.ts';
import type { ConnectedClient, Connection } from '../contracts/connection.ts';
import type { SeenDocument } from '../contracts/document-review.ts';
import type { Member } from '../contracts/platform.ts';
import type { ListedProgram } from '../contracts/program.ts';
import type { ProgramRequest } from '../contracts/program-request.ts';
import { type Scope, type ScopeAccess, type ScopeCatalogue } from '../protocol/scopes.ts';

/** 20 May 2026 at noon: examples look the same every day. */
export const exampleTime = 1_779_278_400;
const day = 24 * 60 * 60;

export const people: Readonly<Record<'operator' | 'member' | 'nobody', Member>> = {
  operator: { id: 'olivia', name: 'Olivia Operator', email: 'olivia@school.example', roles: ['owner'] },
  member: { id: 'sam', name: 'Sam Student', email: 'sam@school.example', roles: ['student'] },
  nobody: { id: 'nora', name: 'Nora Nobody', email: 'nora@school.example', roles: [] },
};

/** The first scopes of each kind that a client of an audience can have: a host can leave any of them out. */
export function someScopes(
  catalogue: ScopeCatalogue,
  audience: 'operator' | 'member',
  counts: Partial<Readonly<Record<ScopeAccess, number>>>,
): Scope[] {
  const rows = catalogue.rows.filter(({ scope }) => catalogue.mayHave(audience, scope));
  return (['identity', 'read', 'write'] as const)
    .flatMap((access) => rows.filter((row) => row.access === access).slice(0, counts[access] ?? 0))
    .map(({ scope }) => scope);
}

export const documentUrl = 'https://planner.example/oauth/client.json';

const exampleClient: ClientInfo = {
  clientId: 'timer',
  clientName: 'Study Timer',
  audience: 'member',
  confidential: true,
  redirectUris: ['https://timer.example/callback'],
  clientUri: 'https://timer.example/',
  source: 'application',
  reviewed: true,
  firstParty: false,
};

const loopback = 'http://127.0.0.1:50123/callback';

/** One of each kind, for consent. */
export const clients = {
  ofMembers: exampleClient,
  ofOperators: { ...exampleClient, clientId: 'chat', clientName: 'School Chat', audience: 'operator' },
  registered: {
    ...exampleClient,
    clientName: 'Terminal Helper',
    audience: 'operator',
    confidential: false,
    redirectUris: [loopback],
    clientUri: undefined,
    source: 'registered',
    reviewed: false,
  },
  document: {
    ...exampleClient,
    clientId: documentUrl,
    clientName: 'Planner',
    audience: 'operator',
    confidential: false,
    redirectUris: ['https://planner.example/callback'],
    source: 'document',
    reviewed: false,
  },
} as const satisfies Readonly<Record<string, ClientInfo>>;

export interface ExampleData {
  readonly applications: readonly Application[];
  readonly connections: readonly Connection[];
  readonly connected: readonly ConnectedClient[];
  readonly documents: readonly SeenDocument[];
  readonly programs: readonly ListedProgram[];
  readonly requests: readonly ProgramRequest[];
}

export const noData: ExampleData = {
  applications: [],
  connections: [],
  connected: [],
  documents: [],
  programs: [],
  requests: [],
};

export function exampleData(catalogue: ScopeCatalogue): ExampleData {
  const ofMember = someScopes(catalogue, 'member', { identity: 2, read: 1, write: 1 });
  const ofOperator = someScopes(catalogue, 'operator', { identity: 2, read: 2, write: 1 });
  const { clientId, clientName, redirectUris, clientUri, audience } = exampleClient;
  const timer: Application = {
    clientId,
    clientName,
    redirectUris,
    clientUri,
    audience,
    scopes: ofMember,
    confidential: true,
    createdBy: 'olivia',
    version: 'now',
    createdAt: exampleTime - 90 * day,
  };
  const described = {
    clientId,
    clientName,
    host: 'timer.example',
    source: 'application',
    firstParty: false,
    audience,
  } as const;
  const connection: Connection = {
    ...described,
    id: 'timer',
    scopes: ofMember,
    createdAt: exampleTime - 30 * day,
    allowedAt: exampleTime - 2 * day,
    lastUsedAt: exampleTime,
    expiresAt: exampleTime + 363 * day,
    refused: someScopes(catalogue, 'member', { read: 2 }).slice(1),
    devices: [{ id: 'laptop', lastUsedAt: exampleTime }, { id: 'phone' }],
  };
  const board = {
    ...described,
    id: 'board',
    clientId: 'board',
    clientName: 'Notice Board',
    source: 'registered',
  } as const;
  const client: ConnectedClient = {
    ...described,
    scopes: ofMember,
    redirectUris,
    people: 12,
    lastActiveAt: exampleTime,
  };
  const document: SeenDocument = {
    clientId: documentUrl,
    clientName: 'Planner',
    redirectUris: ['https://planner.example/callback'],
    digest: 'new',
    seenAt: exampleTime - day,
    decidedAt: exampleTime - 30 * day,
    status: 'changed',
    approved: { clientName: 'Planner beta', redirectUris: ['https://planner.example/old'] },
  };
  const limited = { access: 'approval', roles: ['owner'], scopes: ofOperator } as const;
  const request = {
    id: 'open',
    memberId: 'sam',
    program: 'other',
    clientName: 'Chess Club',
    redirectUris: ['https://chess.example/callback'],
    reason: 'For the chess club',
    at: exampleTime,
  } as const;
  return {
    applications: [
      timer,
      {
        ...timer,
        clientId: 'chat',
        clientName: 'School Chat',
        audience: 'operator',
        confidential: false,
        scopes: ofOperator,
      },
    ],
    connections: [
      connection,
      { ...connection, ...board, scopes: ofMember.filter((scope) => catalogue.row(scope)?.access !== 'identity') },
    ],
    connected: [client, { ...client, ...board, people: 0, blockedAt: exampleTime - day }],
    documents: [
      document,
      {
        ...document,
        clientId: 'https://tutor.example/client.json',
        clientName: 'Tutor',
        status: 'unreviewed',
        approved: undefined,
      },
    ],
    programs: [
      { program: 'claude', clientName: 'Claude', rule: limited, from: 'school', own: limited, people: 3 },
      { program: 'chatgpt', clientName: 'ChatGPT', rule: { access: 'allowed' }, from: 'default', people: 1 },
    ],
    requests: [
      { ...request, status: 'open' },
      { ...request, id: 'granted', program: 'claude', clientName: 'Claude', status: 'granted', clientId },
      {
        ...request,
        id: 'declined',
        program: 'cursor',
        clientName: 'Cursor',
        status: 'declined',
        answer: 'Please use VS Code.',
      },
    ],
  };
}
