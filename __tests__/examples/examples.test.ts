import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createBrowser } from '../../examples/client/browser.ts';
import { campusOidcProcess } from '../cli/command.ts';
import { startAuthorization } from '../../lib/testing/authorization-request.ts';
import { walkConsent } from '../../lib/testing/walk-consent.ts';
import { startExample, stopExamples } from '../helpers/examples.ts';
import { jsonResponse } from '../helpers/flow.ts';
import { freePort } from '../helpers/free-port.ts';
import { readPage } from '../helpers/page.ts';

const root = new URL('../..', import.meta.url);

let demo: string;
const folder = mkdtempSync(join(tmpdir(), 'campus-demo-'));
const auditFile = join(folder, 'audit.jsonl');
beforeAll(async () => {
  demo = await startExample('examples/school-platform/main.ts', {
    PORT: String(await freePort()),
    AUDIT_LOG: auditFile,
  });
});
afterAll(async () => {
  await stopExamples();
  rmSync(folder, { recursive: true });
});

test.each([
  ['a client of the demo', []],
  ['a client that registers', ['--register']],
])('npm run client -- --auto walks to the end: %s', async (_name, args) => {
  const command = ['examples/client/walkthrough.ts', '--auto', ...args, '--issuer', demo];
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: root });
  // The Member API is for a member's client; the one that registers acts for an operator.
  expect(stdout.includes('"slug": "knots-and-splices"')).toBe(args.length === 0);
  expect(stdout).toMatch(/Introspect the access token again\s+\{\s+"active": false\s+\}\s*$/);
});

test('npm run client -- --service and --device walk to the end with DEMO_GRANTS=all, and without it say so', async () => {
  const command = ['examples/client/walkthrough.ts', '--auto', '--issuer'];
  const run = (issuer: string, kind: string) =>
    promisify(execFile)(process.execPath, [...command, issuer, kind], { cwd: root });
  for (const kind of ['--service', '--device']) {
    const stderr = expect.stringContaining('DEMO_GRANTS=all');
    await expect(run(demo, kind)).rejects.toMatchObject({ code: 1, stderr });
  }
  const other = await startExample('examples/school-platform/main.ts', {
    PORT: String(await freePort()),
    AUDIT_LOG: auditFile,
    DEMO_GRANTS: 'all',
  });
  const [{ stdout }, device] = await Promise.all([run(other, '--service'), run(other, '--device')]);
  expect(stdout).toContain('sam@example.com');
  expect(stdout).toMatch(/introspect it again\s+Revoked.\s+\{\s+"active": false\s+\}\s*$/);
  expect(device.stdout).toContain('"slug": "knots-and-splices"');
  expect(device.stdout).toMatch(/Redeem the device code again\s+invalid_grant: /);
});

test('the demo writes its audit log, and says that it is alive and ready', async () => {
  const actions = readFileSync(auditFile, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).action);
  expect(actions).toEqual(
    expect.arrayContaining(['consent.given', 'token.issued', 'token.refreshed', 'registration.admitted']),
  );
  for (const path of ['/livez', '/readyz']) expect((await fetch(`${demo}${path}`)).status).toBe(200);
});

test('npm run client against a school that does not know the client says why', async () => {
  const command = ['examples/client/walkthrough.ts', '--auto', '--issuer', demo.replace('localhost', '127.0.0.1')];
  await expect(promisify(execFile)(process.execPath, command, { cwd: root })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('invalid_client'),
  });
});

test('every tile of the demo leads somewhere, for the person that it names, and the document one to the Internet', async () => {
  const tilesFor = async (email: string): Promise<Record<string, number>> => {
    const browser = createBrowser();
    const home = await browser.submit(await browser.get(`${demo}/sign-in`), {
      email,
      password: 'demo',
      return_to: '/',
    });
    const items = readPage(home.html).getAllByRole('listitem');
    const links = items.flatMap((item) => item.children[0] ?? []).filter(({ role }) => role === 'link');
    const tilesOfPage = links.map(({ name: title, href }) => ({ title, address: new URL(href, `${demo}/`) }));
    const tiles = tilesOfPage.filter(
      ({ address, title }) => address.origin === demo && title !== 'Connect a document client',
    );
    const statuses: Record<string, number> = {};
    for (const { title, address } of tiles) statuses[title] = (await browser.get(address.href)).status;
    return statuses;
  };
  expect(await tilesFor('olivia@example.com')).toEqual({
    'Connect a member app': 200,
    'Connect an operator app': 200,
    Activity: 200,
    'Ask for everything': 200,
    'Connect an assistant': 200,
    Developers: 200,
    'Your apps': 200,
    Apps: 200,
    'Guide for developers': 200,
  });
  expect(await tilesFor('sam@example.com')).toMatchObject({
    'Connect a member app': 200,
    Developers: 403,
  });
});

test('the demo registers a local app and asks for consent, in the language of the browser', async () => {
  const browser = createBrowser();
  const home = await browser.submit(await browser.get(`${demo}/sign-in`), {
    email: 'olivia@example.com',
    password: 'demo',
    return_to: '/',
  });
  const consent = await browser.submit(home, { try: 'localApp' });
  expect([consent.status, consent.html]).toEqual([200, expect.stringContaining('Tide Watcher')]);
  const chinese = await fetch(demo, { headers: { 'accept-language': 'zh-TW' } });
  expect(await chinese.text()).toContain('連結 AI 助理');
});

test('the demo has a home page, and sends the signed-out to its sign-in page', async () => {
  const home = await (await fetch(`${demo}/`)).text();
  for (const text of ['Harbour School', 'olivia@example.com', 'openid-configuration']) expect(home).toContain(text);
  const form = await (await fetch(`${demo}/sign-in`)).text();
  expect([...readPage(form).fields.keys()]).toEqual(expect.arrayContaining(['email', 'password']));
});

test('the observed server has its metrics where Prometheus looks for them', async () => {
  const metrics = await freePort();
  const ports = { PORT: String(await freePort()), METRICS_PORT: String(metrics) };
  const origin = await startExample('examples/observability/server.ts', ports);
  await fetch(`${origin}/.well-known/openid-configuration`);
  const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
  expect(text).toMatch(
    /^http_server_request_duration_count\{.*http_route="\/\.well-known\/openid-configuration".*\} 1$/m,
  );
});

test('the host of get-started serves a school', async () => {
  const origin = await startExample('examples/get-started/server.ts', { PORT: String(await freePort()) });
  const metadata = await jsonResponse(await fetch(`${origin}/.well-known/openid-configuration`));
  expect(metadata.body['issuer']).toBe(origin);
  const signIn = await fetch(`${origin}/sign-in`);
  expect([signIn.status, await signIn.text()]).toEqual([404, 'Not Found']);
  const { out } = await campusOidcProcess([
    'diagnose',
    'examples/get-started/campus.ts',
    '--origin',
    'http://localhost:3000',
  ]);
  expect(out).toMatch(/^info keys-no-next: the only key is 2026-11\n.*\n$/);
});

test('the school of README.md: an app registers, Olivia allows it, and the tool gives what docs/get-started.md shows', async () => {
  const origin = await startExample('examples/minimal/school.ts', { PORT: String(await freePort()) });
  const post = (path: string, body: object, headers = {}) =>
    fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const redirectUri = 'http://127.0.0.1:8123/callback';
  const { body } = await jsonResponse(await post('/api/oauth/register', { redirect_uris: [redirectUri] }));
  const request = startAuthorization({
    origin,
    clientId: String(body['client_id']),
    redirectUri,
    scopes: ['openid', 'courses:read'],
  });
  const { access_token: token } = await request.redeem(await walkConsent({ authorizeUrl: request.url }));
  const guide = readFileSync(new URL('docs/get-started.md', root), 'utf8');
  const [, call = '', result = ''] = /localhost:3000\/mcp -H[^]*? -d '(.*)'\n(.*)\n/.exec(guide) ?? [];
  const response = await post('/mcp', JSON.parse(call), { authorization: `Bearer ${token}` });
  expect(await response.text()).toBe(result);
});
