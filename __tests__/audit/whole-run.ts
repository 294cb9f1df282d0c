import type { Context } from 'koa';
import Koa from 'koa';
import type { AuditEvent, Boundary, Campus, FaultEvent, Site, StaticClient } from '../../lib/index.ts';
import type { Tool } from '../../lib/mcp/index.ts';
import { loopbackClients, metadataDocuments } from '../../policies/index.ts';
import { type Browser, csrfOf } from '../helpers/browser.ts';
import { testClients } from '../helpers/clients.ts';
import { passTime, resetClock, setClockAhead } from '../helpers/clock.ts';
import {
  authorizeUrl,
  connect,
  exchange,
  getCode,
  memberApp,
  pkce,
  postForm,
  refresh,
  reports,
  type TestClient,
  userinfo,
  webMemberApp,
} from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';
import { certificate, startDocumentServer } from '../outbound/document-server.ts';
import { client as documentClient, ordinary } from '../features/metadata-documents/document-schools.ts';
import { callTool, rpc } from '../mcp/rpc.ts';
import { type Secrets, watchSecrets } from './secrets.ts';

/** What happened while each action was caused over HTTP. */
export interface WholeRun {
  readonly events: readonly AuditEvent[];
  readonly faults: readonly FaultEvent[];
  readonly warnings: readonly Error[];
  readonly secrets: Secrets;
}

const common = { description: 'A tool.', access: { scopes: ['account:write'] } } as const;
const tools: readonly Tool<unknown>[] = [
  { ...common, name: 'rename', run: () => 'done' },
  {
    ...common,
    name: 'break',
    run: () => {
      throw new Error('the database is gone');
    },
  },
];

/** What a tool is called with; no event contains it. */
const argument = 'the-argument-of-a-tool';

const hostPath = '/host/';

/** The host's own page for its operators: it calls what a request names. */
function appWith(operations: Map<string, () => Promise<unknown>>): (campus: Campus) => Koa {
  return (campus) => {
    const app = new Koa();
    app.silent = true;
    app.use(campus.middleware());
    app.use(async (ctx: Context) => {
      await operations.get(ctx.path.slice(hostPath.length))?.();
      ctx.body = 'done';
    });
    return app;
  };
}

/** Causes every action there is at Harbour School, and collects what is said about it. */
export async function wholeRun(): Promise<WholeRun> {
  const documents = await startDocumentServer();
  const operations = new Map<string, () => Promise<unknown>>();
  const testing = {
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    ca: certificate,
    allowPrivateAddresses: true,
    port: documents.port,
  };
  const schools = await startSchools({
    app: appWith(operations),
    mcp: { tools },
    campus: {
      boundaries: [shops],
      registration: [loopbackClients()],
      metadataDocuments: metadataDocuments({ hosts: ['docs.example'] }),
      limits: { registrations: { perAddress: 1, perSite: 1000 } },
      testing,
      clients: [...testClients, toldClient],
      logout: { endSession: () => undefined },
    },
  });
  const events: AuditEvent[] = [];
  const warnings: Error[] = [];
  const warn = (warning: Error): unknown => warnings.push(warning);
  process.on('warning', warn);
  schools.campus.events.on('audit', (event) => events.push(event));
  const { secrets, stop } = watchSecrets();
  secrets.set(argument, 'argument');
  const site = harbourSite(schools.harbour);
  const host = async (run: () => Promise<unknown>): Promise<void> => {
    operations.set('run', run);
    await fetch(`${schools.harbour}${hostPath}run`, { method: 'POST' });
  };
  try {
    await useTokens(schools);
    await decideConsents(schools);
    await editApplications(schools);
    await limitConnection(schools);
    await askForApplications(schools, site);
    await callTools(schools);
    await register(schools);
    await disconnect(schools, site, host);
    const publish = (status: number, more: object = {}): void =>
      documents.respond((_request, response) => {
        const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
        response.writeHead(status, headers).end(JSON.stringify({ ...ordinary, ...more }));
      });
    await reviewDocuments(schools, site, host, publish);
    documents.respond((_request, response) => response.writeHead(200).end());
    await signOut(schools, site, host, events);
    documents.respond((_request, response) => response.writeHead(500).end());
    await host(() => schools.campus.signedOut(site, 'sam'));
    // What waits for another try has it now.
    await schools.campus.close();
    await host(() => schools.campus.members.erase(site, 'nora'));
    await host(() => schools.campus.sites.remove(site, { stillServed: true }));
  } finally {
    stop();
    process.off('warning', warn);
    resetClock();
    await schools.close();
    await documents.close();
  }
  return { events, faults: schools.faults, warnings, secrets };
}

async function useTokens(schools: Schools): Promise<void> {
  const { harbour } = schools;
  const { body } = await connect(schools.browser('sam'), harbour, memberApp);
  const refreshToken = body['refresh_token'];
  for (let i = 0; i < 2; i += 1) await refresh(harbour, memberApp, refreshToken);
  await refresh(harbour, memberApp, refreshToken, { scope: 'openid' });
  setClockAhead(31);
  await refresh(harbour, memberApp, refreshToken);
  await userinfo(harbour, body['access_token']);
  await exchange(await getCode(schools.browser('sam'), harbour, memberApp), { code_verifier: 'x'.repeat(43) });
  const fields = { token: String(refreshToken), client_id: reports.id, client_secret: 'not-the-secret-of-reports' };
  await postForm(`${harbour}/api/oauth/revoke`, fields);
  await postForm(`${harbour}/api/oauth/introspect`, fields);
}

const shops: Boundary = {
  type: 'shop',
  name: 'Shops',
  scopes: ['orders:read'],
  list: () => ({ items: [{ id: 's1', name: 'Book shop' }], total: 1 }),
};

async function limitConnection(schools: Schools): Promise<void> {
  const browser = schools.browser('olivia');
  const post = async (address: URL | string, fields: Readonly<Record<string, string>>): Promise<void> => {
    const { url, html } = await browser.follow(address);
    await browser.follow(url, { method: 'POST', body: new URLSearchParams({ csrf: csrfOf(html), ...fields }) });
  };
  const request = authorizeUrl(schools.harbour, reports, pkce(), { scope: 'orders:read' });
  await post(request, { decision: 'allow', 'limit.shop': 'all' });
  const [connection] = await schools.campus.connections.list(harbourSite(schools.harbour), 'olivia');
  const page = `${schools.harbour}/account/apps/${connection?.id}`;
  await post(page, { scope: 'orders:read', limits: 'shop', 'only.shop': 's1' });
}

async function decideConsents(schools: Schools): Promise<void> {
  const page = async (browser: Browser) =>
    browser.follow(authorizeUrl(schools.harbour, webMemberApp, pkce(), { prompt: 'consent' }));
  const browser = schools.browser('sam');
  const { url, html } = await page(browser);
  const fields = { csrf: csrfOf(html), decision: 'allow', choice: 'shown', scope: 'email' };
  await browser.follow(url, { method: 'POST', body: new URLSearchParams(fields) });
  await browser.decide(await page(browser), 'deny');
}

async function editApplications(schools: Schools): Promise<void> {
  const browser = schools.browser('olivia');
  const path = `${schools.harbour}/developers/oauth-applications`;
  const submit = async (
    at: string,
    fields: Readonly<Record<string, string>>,
    scopes: readonly string[] = [],
  ): Promise<string> => {
    const { html } = await browser.follow(at);
    const version = readPage(html).fields.get('version') ?? '';
    const body = new URLSearchParams({ csrf: csrfOf(html), version, ...fields });
    for (const scope of scopes) body.append('scope', scope);
    return (await browser.follow(at, { method: 'POST', body })).html;
  };
  const redirectUri = 'https://timer.example/callback';
  const filled = { name: 'Timer', redirect_uris: redirectUri, client_uri: '', kind: 'confidential' };
  const html = await submit(`${path}/new`, filled, ['openid', 'account:read']);
  const made = readPage(html);
  const [id, secret] = [made.getByLabelText('Client ID').value, made.getByLabelText('Client secret').value];
  const client: TestClient = { id, redirectUri, secret, scope: 'openid account:read' };
  const allow = () => connect(schools.browser('sam'), schools.harbour, client);
  await allow();
  await submit(`${path}/${id}`, { ...filled, action: 'narrow' }, ['openid']);
  await submit(`${path}/${id}?confirm=rotate`, { action: 'rotate' });
  await submit(`${path}/${id}?confirm=remove`, { action: 'remove' });
}

async function askForApplications(schools: Schools, site: Site): Promise<void> {
  const console = '/developers/oauth-applications';
  const submit = async (
    person: string,
    path: string,
    fields: Record<string, string>,
    scopes: readonly string[] = [],
  ) => {
    const browser = schools.browser(person);
    const at = `${schools.harbour}${path}`;
    const { html } = await browser.follow(at);
    const version = readPage(html).fields.get('version') ?? '';
    const body = new URLSearchParams({ csrf: csrfOf(html), version, ...fields });
    for (const scope of scopes) body.append('scope', scope);
    await browser.follow(at, { method: 'POST', body });
    return (await schools.campus.requests.list(site))[0]?.id ?? '';
  };
  const asks = '/account/apps/requests?view=new&app=libre-chat';
  const filled = { redirect_uris: 'https://chat.example/callback' };
  const ask = () => submit('sam', asks, { ...filled, action: 'ask', reason: argument });
  await submit('sam', asks, { action: 'withdraw', id: await ask() });
  await ask();
  const board = await schools.browser('olivia').follow(`${schools.harbour}${console}/asked`);
  const decline = readPage(board.html).getByRole('link', { name: /^Decline/ });
  const question = await schools.browser('olivia').follow(new URL(decline.href, schools.harbour));
  const answered = new URLSearchParams([...readPage(question.html).getByRole('form').fields]);
  answered.set('answer', argument);
  await schools.browser('olivia').follow(`${schools.harbour}${console}/asked`, { method: 'POST', body: answered });
  const granted = { ...filled, name: 'LibreChat', kind: 'confidential', client_uri: '' };
  await submit('olivia', `${console}/new?request=${await ask()}`, granted, ['openid']);
}

async function callTools(schools: Schools): Promise<void> {
  const { harbour } = schools;
  const tokenOf = async (scope: string) => {
    const { body } = await connect(schools.browser('sam'), harbour, memberApp, { scope });
    return String(body['access_token']);
  };
  const token = await tokenOf(memberApp.scope);
  await callTool(harbour, 'rename', { name: argument }, { token });
  await callTool(harbour, 'break', { name: argument }, { token });
  await callTool(harbour, 'rename', { name: argument }, { token: await tokenOf('openid') });
  await rpc(harbour, 'prompts/list', {}, { token });
}

async function register({ harbour }: Schools): Promise<void> {
  for (const uri of ['http://127.0.0.1/', 'http://127.0.0.1/', 'https://evil.example/']) {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
    await fetch(`${harbour}/api/oauth/register`, { ...init, body: JSON.stringify({ redirect_uris: [uri] }) });
  }
}

/** An application that learns when people sign out. */
const told: TestClient = {
  id: 'told-app',
  redirectUri: 'https://told.example/callback',
  secret: 'told-secret',
  scope: 'openid',
};
const toldClient: StaticClient = {
  clientId: told.id,
  clientName: 'Told',
  audience: 'member',
  redirectUris: [told.redirectUri],
  scopes: ['openid'],
  clientSecret: told.secret,
  backchannelLogoutUri: 'https://docs.example/logout',
};

async function signOut(schools: Schools, site: Site, host: Host, events: readonly AuditEvent[]): Promise<void> {
  await connect(schools.browser('sam'), schools.harbour, told);
  const delivered = new Promise<void>((resolve) => {
    schools.campus.events.on('audit', ({ action }) => action === 'logout.delivered' && resolve());
  });
  await schools.browser('sam').follow(`${schools.harbour}/oauth/logout?client_id=nobody`);
  await host(() => schools.campus.signedOut(site, 'sam'));
  if (!events.some(({ action }) => action === 'logout.delivered')) await delivered;
}

type Host = (run: () => Promise<unknown>) => Promise<void>;

async function disconnect(schools: Schools, site: Site, host: Host): Promise<void> {
  const { connections, apps } = schools.campus;
  const one = (await connections.list(site, 'sam')).find(({ clientId }) => clientId === memberApp.id);
  const sam = schools.browser('sam');
  const { url, html } = await sam.follow(`${schools.harbour}/account/apps/${one?.id}`);
  const kept = new URLSearchParams({ csrf: csrfOf(html), scope: 'account:write' });
  await sam.follow(url, { method: 'POST', body: kept });
  kept.set('add', 'account:read');
  await sam.follow(url, { method: 'POST', body: kept });
  await sam.follow(url, { method: 'POST', body: new URLSearchParams({ csrf: csrfOf(html), action: 'end' }) });
  await host(() => apps.set(site, { clientId: webMemberApp.id }, { access: 'blocked' }));
  await host(() => apps.reset(site, { clientId: webMemberApp.id }));
  await host(() => apps.set(site, 'claude', { access: 'view_only' }));
  await host(() => apps.allowPerson(site, 'claude', 'sam'));
  await host(() => apps.resetPerson(site, 'claude', 'sam'));
  await host(() => apps.reset(site, 'claude'));
}

async function reviewDocuments(
  schools: Schools,
  site: Site,
  host: Host,
  publish: (status: number, more?: object) => void,
): Promise<void> {
  const { apps } = schools.campus;
  const begin = () => schools.browser('olivia').follow(authorizeUrl(schools.harbour, documentClient, pkce()));
  publish(200);
  await begin();
  const [seen] = await apps.list(site, { waiting: true });
  await host(() => apps.set(site, { clientId: documentClient.id }, { access: 'allowed' }, { version: seen?.version }));
  passTime(120);
  publish(200, { client_name: 'Another name' });
  await begin();
  passTime(240);
  publish(403);
  await begin();
  passTime(360);
  publish(404);
  await begin();
  await host(() => apps.set(site, { clientId: documentClient.id }, { access: 'blocked' }));
}
