import { memoryStore } from '../../../adapters/memory/index.ts';
import { ruleId } from '../../../lib/core/access/school-rules.ts';
import { shownId } from '../../../lib/core/access/school-records.ts';
import { digest } from '../../../lib/kernel/crypto.ts';
import { auditOutcomes } from '../../../lib/observe/audit-event.ts';
import type {
  Application,
  AuditAction,
  AuditEvent,
  AccessPolicy,
  StaticClient,
  NewApplication,
  Site,
} from '../../../lib/index.ts';
import { deviceAuthorization } from '../../../lib/grant-types.ts';
import { loopbackClients } from '../../../policies/loopback-clients.ts';
import { metadataDocuments } from '../../../policies/documents/metadata-documents.ts';
import { testClients } from '../../helpers/clients.ts';
import { connect, memberApp, type TestClient, webMemberApp } from '../../helpers/flow.ts';
import type { Store } from '../../../lib/store.ts';
import { plugins, type Schools, startSchools } from '../../helpers/schools.ts';
import { harbourSite } from '../../helpers/sites.ts';
import { useClient } from '../../helpers/used-clients.ts';

/** Schools with the data for every page in every state. */
export interface Gallery {
  readonly schools: Schools;
  /** Harbour School. */
  readonly site: Site;
  /** An operator's application that a member has connected. */
  readonly application: Application;
  /** An application for operators. */
  readonly assistant: Application;
  readonly registered: TestClient;
  /** An unreviewed metadata document. */
  readonly document: TestClient;
  /** A metadata document that was approved in another version. */
  readonly changed: string;
  /** A client that the school has blocked. */
  readonly blocked: string;
  close(): Promise<void>;
}

/** Markup, bidi controls, emoji and excessive length. */
export const hostileName = `<script>alert(1)</script>\u202E gnp.exe \u2066👩‍🏫 ${'Very long name '.repeat(31)}`;

export const hostileClient: StaticClient = {
  clientId: 'hostile',
  clientName: hostileName,
  audience: 'member',
  redirectUris: ['com.example.hostile:/callback'],
  scopes: ['openid', 'account:read'],
};
/** It can have no identity scope, so that something must be left of what it was allowed. */
const noticeBoard: StaticClient = {
  clientId: 'notice-board',
  clientName: 'Notice Board',
  audience: 'member',
  redirectUris: ['https://notices.example/callback'],
  scopes: ['account:read', 'account:write'],
  clientUri: 'https://notices.example/',
};
const refusedClient: StaticClient = { ...hostileClient, clientId: 'refused', clientName: 'Homework Robot' };

const policy: AccessPolicy = ({ client, scopes }) => {
  if (client.id === 'refused') return { access: 'blocked', text: 'Ask your teacher before you use this one.' };
  if (client.id !== webMemberApp.id || !scopes.includes('account:write')) return undefined;
  return {
    scopes: scopes.filter((scope) => scope !== 'account:write'),
    text: 'Students of this school can let applications view data, but not change it.',
  };
};

const studyTimer: NewApplication = {
  clientName: 'Study Timer',
  redirectUris: ['https://timer.example/callback', 'http://127.0.0.1/callback'],
  scopes: ['openid', 'profile', 'account:read', 'account:write'],
  clientUri: 'https://timer.example/',
  confidential: true,
};

const schoolChat: NewApplication = {
  audience: 'operator',
  clientName: 'School Chat',
  redirectUris: ['https://chat.school.example/api/mcp/campus/oauth/callback'],
  scopes: ['openid', 'profile', 'email', 'courses:read', 'courses:write', 'students:read'],
  clientUri: 'https://chat.school.example/',
  confidential: true,
};

/** It is dense, and tries to end its element. */
const stylesheet = `:root{--campus-radius:0rem;--campus-density:.5;--campus-font:Georgia,serif}\r\n
.school::after{content:"</style><script>alert(1)</script>\0"}\r@import url(https://styles.example/x.css);
main{background-image:url(https://images.example/x.png);letter-spacing:1px}\r\n`;

const documentUrl = 'https://agents.example/client.json';

/**
 * Summit School has connections disabled, another accent colour and a stylesheet. For the member `faulty` the platform throws. `ar` is
 * a language that the embedder adds.
 */
export async function startGallery(): Promise<Gallery> {
  const store = memoryStore();
  const log: AuditEvent[] = [];
  const schools = await startSchools({
    ...plugins,
    campus: {
      store,
      clients: [...testClients, { ...hostileClient, device: true }, noticeBoard, refusedClient],
      grants: [deviceAuthorization()],
      access: [policy],
      registration: [loopbackClients()],
      metadataDocuments: metadataDocuments({ hosts: ['agents.example'] }),
      pages: {
        texts: { ar: { 'consent.allow': 'السماح', 'connected.title': 'التطبيقات المتصلة' } },
        gallery: '/gallery',
      },
      log: { list: ({ id }) => ({ events: [...log, ...pastEvents].filter(({ siteId }) => siteId === id) }) },
    },
    wrapPlatform: (platform) => ({
      ...platform,
      findSite: async (origin) => {
        const site = await platform.findSite(origin);
        if (site?.id !== 'summit') return site;
        return { ...site, connectionsEnabled: false, language: 'zh-Hant', colors: { accent: '#f2c037' }, stylesheet };
      },
      findMember: (site, memberId) => {
        if (memberId === 'faulty') throw new Error('the member database is unavailable');
        return platform.findMember(site, memberId);
      },
    }),
  });
  const { campus, harbour } = schools;
  campus.events.on('audit', (event) => log.unshift(event));
  const owner = schools.people['harbour']?.['olivia'];
  if (owner) schools.people['summit'] = { ...schools.people['summit'], olivia: owner };
  const student = schools.people['harbour']?.['sam'];
  if (student) {
    const maya = { ...student, id: 'maya', name: 'Maya Student' };
    schools.people['harbour'] = { ...schools.people['harbour'], maya };
  }
  const site = harbourSite(harbour);
  const { application, clientSecret = '' } = await campus.applications.create(site, studyTimer);
  await campus.applications.create(site, { ...studyTimer, clientName: '行動教室 🎒', confidential: false });
  const { application: assistant } = await campus.applications.create(site, schoolChat);
  await connect(schools.browser('sam'), harbour, {
    id: application.clientId,
    redirectUri: studyTimer.redirectUris[0] ?? '',
    secret: clientSecret,
    scope: studyTimer.scopes.join(' '),
  });
  await connect(schools.browser('sam'), harbour, memberApp);
  await connect(schools.browser('sam'), harbour, webMemberApp);
  await connect(
    schools.browser('sam'),
    harbour,
    { id: noticeBoard.clientId, redirectUri: 'https://notices.example/callback', scope: 'account:read account:write' },
    { nonce: undefined },
  );
  await connect(schools.browser('sam'), harbour, hostile);
  await connect(schools.browser('maya'), harbour, memberApp, { scope: 'openid account:read' });
  const document = {
    client_id: documentUrl,
    client_name: 'Course Agent',
    redirect_uris: ['https://agents.example/callback'],
  };
  const fetchedAt = Math.floor(Date.now() / 1000);
  const copy = { document, digest: 'digest', since: 0, fetchedAt, freshUntil: fetchedAt + 24 * 60 * 60 };
  // A document is stored once for all schools.
  await store.save('', { kind: 'Document', id: digest(documentUrl), record: JSON.stringify({ v: 1, ...copy }) });
  await askForApplications(schools, site, application);
  await unusedClient(store);
  await otherClients(store);
  return {
    schools,
    site,
    application,
    assistant,
    registered: await register(harbour),
    changed: await changedDocument(store),
    blocked: await block(schools, site),
    document: {
      id: documentUrl,
      redirectUri: 'https://agents.example/callback',
      scope: 'openid profile email courses:read students:read orders:read',
    },
    close: () => schools.close(),
  };
}

/** Each action once. Some names and reasons are hostile. */
const pastEvents: readonly AuditEvent[] = Object.keys(auditOutcomes)
  .filter(isAction)
  .map((action, i): AuditEvent => ({
    version: 1,
    time: new Date(Date.UTC(2026, 4, 20, 14, 34) - i * 3_600_000).toISOString(),
    eventId: action,
    siteId: 'harbour',
    action,
    outcome: auditOutcomes[action],
    actor: { kind: 'member', id: 'sam' },
    clientId: i % 7 === 0 ? 'hostile' : memberApp.id,
    memberId: i % 5 === 0 ? 'gone' : 'sam',
    ...(auditOutcomes[action] === 'refused' && { reason: hostileName }),
    ...(action === 'tool.called' && { tool: { name: hostileName, outcome: 'succeeded', about: hostileName } }),
  }));

function isAction(name: string): name is AuditAction {
  return name in auditOutcomes;
}

/** Sam has a request in each state, one that is as hostile as its rules permit. */
async function askForApplications({ campus }: Schools, site: Site, { clientId }: Application): Promise<void> {
  const { requests } = campus;
  const ask = (app: 'claude' | 'libre-chat' | 'other' | 'cursor', clientName: string, note?: string) =>
    requests.ask(site, 'sam', { app, clientName, redirectUris: ['https://chat.example/callback'], note });
  await ask('libre-chat', 'LibreChat', 'For the chess club');
  await ask('other', '<b onclick=alert(1)>'.repeat(5), `\u202E<script>alert(1)</script>${'x'.repeat(400)}`);
  await requests.grant(site, (await ask('claude', 'Claude')).id, clientId, { by: 'olivia' });
  await requests.decline(site, (await ask('cursor', 'Cursor')).id, 'Please use VS Code, which the school pays for.');
}

async function block({ campus }: Schools, site: Site): Promise<string> {
  await campus.apps.set(site, { clientId: 'https://mirror.example/client.json' }, { access: 'blocked' });
  const limited = { access: 'view_only', roles: ['owner'], scopes: ['openid', 'courses:read'] } as const;
  await campus.apps.set(site, 'claude', limited);
  return 'https://mirror.example/client.json';
}

async function changedDocument(store: Store): Promise<string> {
  const id = 'https://planner.example/oauth/client.json';
  const at = Math.floor(Date.now() / 1000);
  const [before, now] = ['https://planner.example/callback', 'https://planner.example/oauth/callback'].map((uri) => [
    uri,
  ]);
  const approved = { digest: 'old', client_name: 'Planner', redirect_uris: before };
  const decision = JSON.stringify({ v: 1, client_id: id, approved, at });
  await store.save('harbour', {
    kind: 'AppRule',
    id: ruleId({ clientId: id }),
    record: decision,
    listed: true,
  });
  const shown = JSON.stringify({
    v: 1,
    client_id: id,
    at,
    digest: 'new',
    client_name: hostileName,
    redirect_uris: now,
  });
  await store.save('harbour', { kind: 'DocumentReview', id: shownId(id), record: shown, listed: true });
  return id;
}

/** A registered client that was last active 100 days ago. */
async function unusedClient(store: Store): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  const client = { v: 1, client_id: 'unused', client_name: hostileName };
  const noted = JSON.stringify({ ...client, at: now - 100 * 24 * 60 * 60 });
  await store.save('harbour', { kind: 'ConnectedClient', id: digest('unused'), record: noted, listed: true });
  const registered = JSON.stringify({ ...client, scope: 'openid', campus_source: 'registered' });
  await store.save('harbour', { kind: 'Client', id: 'unused', record: registered, ttl: 10_000 });
  const parties = { memberId: 'tess', clientId: 'unused' };
  const grant = {
    v: 2,
    accountId: 'tess',
    clientId: 'unused',
    scope: 'openid',
    declined: '',
    iat: now,
    exp: now + 10_000,
  };
  const record = JSON.stringify({ ...grant, resource: '' });
  await store.save('harbour', { kind: 'Grant', id: 'unused', record, ttl: 10_000, ...parties });
}

/** So many that the apps in use are on two pages. */
async function otherClients(store: Store): Promise<void> {
  const at = Math.floor(Date.now() / 1000);
  for (let i = 1; i <= 20; i += 1) await useClient(store, `club-${i}`, { name: `Club App ${i}`, at });
}

async function register(origin: string): Promise<TestClient> {
  const redirectUri = 'http://127.0.0.1:50123/callback';
  const response = await fetch(`${origin}/api/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Terminal Helper', redirect_uris: [redirectUri] }),
  });
  const { client_id: id }: { client_id?: unknown } = Object(await response.json());
  const scope =
    'openid profile email courses:read courses:write students:read students:write orders:read analytics:read';
  return { id: String(id), redirectUri, scope };
}

export const hostile: TestClient = {
  id: 'hostile',
  redirectUri: 'com.example.hostile:/callback',
  scope: 'openid account:read',
};
/** A consent policy denies this client. */
export const refused: TestClient = { ...hostile, id: 'refused' };
