import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type SignInRecipe, signInRecipes } from '../../lib/features/applications/pages/sign-in-recipes.ts';
import { findApache } from '../../scripts/apache-binary.mjs';
import { findAuthlib } from '../../scripts/authlib.mjs';
import { buildGo, findGo } from '../../scripts/go-oidc.mjs';
import { findOauth2Proxy } from '../../scripts/oauth2-proxy.mjs';
import { findPassport } from '../../scripts/passport.mjs';
import { listening, startApache } from '../helpers/apache.ts';
import { authorize } from '../helpers/flow.ts';
import { freePort } from '../helpers/free-port.ts';
import { readPage } from '../helpers/page.ts';
import { signingKey } from '../helpers/keys.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { listen } from '../helpers/server.ts';
import { siteOf } from '../helpers/sites.ts';
import { createVisitor } from '../helpers/website.ts';

let schools: Schools;
/** For whom the platform was asked to end the session. */
let ended: string[] = [];
let children: ChildProcess[] = [];
beforeAll(async () => {
  const signing = await Promise.all([signingKey('es'), signingKey('rs', 'RS256')]);
  schools = await startSchools({
    campus: {
      keys: { signing, cookies: ['a secret of the tests'] },
      logout: { endSession: (_ctx, _site, { memberId }) => void ended.push(memberId) },
    },
  });
});
afterEach(async () => {
  for (const child of children) {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
  children = [];
  ended = [];
});
afterAll(() => schools.close());

/** Software that signs in: where it is, its secret, and its settings as the page of the application shows them. */
interface Installed {
  readonly port: number;
  readonly origin: string;
  readonly secret: string;
  readonly settings: string;
  /** Those for signing out of the school as well. */
  readonly signOut: string;
  /** Where people come back to. */
  readonly signedOutUri: string;
}

async function install(id: SignInRecipe['id'], path: string): Promise<Installed> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const redirectUri = `${origin}${path}`;
  const signedOutUri = `${origin}/bye`;
  const scopes = ['openid', 'profile', 'email'] as const;
  const { application, clientSecret = '' } = await schools.campus.applications.create(siteOf(schools), {
    clientName: 'Library',
    redirectUris: [redirectUri],
    scopes,
    confidential: true,
    signIn: {},
    postLogoutRedirectUris: [signedOutUri],
  });
  const { clientId } = application;
  const values = { issuer: schools.harbour, clientId, redirectUri, scopes, algorithm: 'RS256' } as const;
  const recipe = signInRecipes.find((each) => each.id === id);
  return {
    port,
    origin,
    secret: clientSecret,
    settings: recipe?.settings(values) ?? '',
    signOut: recipe?.signOut?.text({ ...values, signedOutUri }) ?? '',
    signedOutUri,
  };
}

/** Sam allows, and comes back to the software. */
async function signIn(location: string): Promise<string> {
  const { url } = await authorize(schools.browser('sam'), new URL(location));
  return url.href;
}

/** Sam signs out at the school, where the software has sent the browser. Returns where they come back to. */
async function signOutAt(location: string): Promise<string> {
  const browser = schools.browser('sam');
  const { html } = await browser.follow(location);
  const fields = new URLSearchParams([...readPage(html).getByRole('form').fields, ['logout', 'yes']]);
  const { url } = await browser.follow(`${schools.harbour}/oauth/logout/confirm`, { method: 'POST', body: fields });
  expect(ended).toEqual(['sam']);
  return `${url.origin}${url.pathname}`;
}

const apache = findApache();
const authlib = findAuthlib();
const go = findGo();
const proxy = findOauth2Proxy();
const passport = findPassport();
/** What this machine lacks is skipped by its name. */
const where = (found: object | undefined): typeof test | typeof test.skip => (found ? test : test.skip);

where(apache)('Apache with mod_auth_openidc signs a student in, refreshes and signs out', async () => {
  if (!apache) throw new Error('no Apache');
  const { port, origin, secret, settings, signOut, signedOutUri } = await install('apache', '/oidc-callback');
  // The hook shows the tokens, and takes no part in sign-in.
  const config = `${settings}${signOut}OIDCInfoHook access_token userinfo\n`;
  const variables = { CLIENT_SECRET: secret, CRYPTO_PASSPHRASE: 'a passphrase of the tests' };
  const server = await startApache(apache, { port, config, variables });
  try {
    const visit = createVisitor(origin);
    const returned = await visit(await signIn((await visit('/private')).location));
    expect(returned).toMatchObject({ status: 302, location: `${origin}/private` });
    expect((await visit('/private')).user).toBe('sam');
    const first = JSON.parse((await visit('/oidc-callback?info=json')).text);
    expect(first.userinfo).toMatchObject({ sub: 'sam', roles: ['student'] });
    const query = new URLSearchParams({ refresh: `${origin}/private`, access_token: first.access_token });
    expect((await visit(`/oidc-callback?${query.toString()}`)).location).toBe(`${origin}/private`);
    const second = JSON.parse((await visit('/oidc-callback?info=json')).text);
    expect(second.access_token).not.toBe(first.access_token);
    const [, link = ''] = /^# A link signs out: (.+)$/m.exec(signOut) ?? [];
    const { location } = await visit(link);
    expect(location).toContain(`${schools.harbour}/oauth/logout?`);
    expect(await signOutAt(location)).toBe(signedOutUri);
    expect((await visit('/bye')).location).toBe('');
    expect((await visit('/private')).location).toContain(`${schools.harbour}/oauth/authorize?`);
  } catch (error) {
    throw new Error(server.log(), { cause: error });
  } finally {
    await server.stop();
  }
});

where(authlib)('Authlib signs a student in, refreshes and signs out', async () => {
  if (!authlib) throw new Error('no Authlib');
  const { port, origin, secret, settings, signOut, signedOutUri } = await install('authlib', '/auth');
  const recipe = { CLIENT_SECRET: secret, SETTINGS: `${settings}${signOut}` };
  const env = { ...process.env, ...authlib.env, ...recipe, PORT: String(port) };
  const child = spawn(authlib.bin, [join(import.meta.dirname, 'sign-in/website.py')], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let log = '';
  child.stderr.on('data', (bytes: Buffer) => (log += bytes.toString()));
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(() => Promise.reject(new Error(log)))]);
  const visit = createVisitor(origin);
  const returned = await visit(await signIn((await visit('/login')).location));
  expect([returned.status, log]).toEqual([200, expect.not.stringContaining('Traceback')]);
  const first = JSON.parse(returned.text);
  expect(first.user).toMatchObject({ sub: 'sam', roles: ['student'] });
  const second = JSON.parse((await visit('/refresh')).text);
  expect(second.access_token).not.toBe(first.access_token);
  expect(await signOutAt((await visit('/sign-out')).location)).toBe(signedOutUri);
});

where(go)('go-oidc signs a student in, refreshes and signs out', async () => {
  if (!go) throw new Error('no Go');
  const { secret, settings, signOut, signedOutUri } = await install('go', '/callback');
  const folder = join(import.meta.dirname, 'sign-in/go');
  const [start = '', exchange] = settings.split(/^(?=token, err := )/m);
  const source = readFileSync(join(folder, 'main.go.txt'), 'utf8')
    .replace('// START', () => start)
    .replace('// EXCHANGE', () => exchange ?? '')
    .replace('// SIGN-OUT', () => signOut);
  const child = spawn(buildGo(go, folder, source), { env: { ...process.env, CLIENT_SECRET: secret }, stdio: 'pipe' });
  children.push(child);
  let log = '';
  child.stderr.on('data', (bytes: Buffer) => (log += bytes.toString()));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error(log);
    return value;
  };
  const back = new URL(await signIn(await next()));
  child.stdin.write(`${back.searchParams.get('code')}\n`);
  const { user, subject, first, second, signOut: address } = JSON.parse(await next());
  expect(user).toMatchObject({ sub: 'sam', roles: ['student'] });
  expect([subject, second]).toEqual(['sam', expect.not.stringContaining(first)]);
  expect(await signOutAt(address)).toBe(signedOutUri);
});

where(proxy)('oauth2-proxy signs a student in, refreshes and signs out', async () => {
  if (!proxy) throw new Error('no oauth2-proxy');
  const { port, origin, secret, settings, signOut, signedOutUri } = await install('oauth2-proxy', '/oauth2/callback');
  const upstream = await listen(
    () =>
      ({ headers }, response) =>
        response.end(JSON.stringify(headers)),
  );
  const dir = mkdtempSync(join(tmpdir(), 'oauth2-proxy-'));
  const [file, secretFile] = [join(dir, 'oauth2-proxy.cfg'), join(dir, 'secret')];
  writeFileSync(secretFile, secret);
  const own = {
    http_address: `127.0.0.1:${port}`,
    upstreams: [`http://127.0.0.1:${upstream.port}/`],
    cookie_secret: 'a secret of 32 bytes of the test',
    cookie_secure: false,
    cookie_refresh: '1ms',
    pass_access_token: true,
    skip_auth_routes: ['^/bye$'],
  };
  const lines = Object.entries(own).map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`);
  const placed = settings.replace('/etc/oauth2-proxy/school-client-secret', secretFile);
  writeFileSync(file, `${placed}${signOut}${lines.join('')}`);
  const child = spawn(proxy.bin, ['--config', file], { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (log += bytes.toString()));
  try {
    await Promise.race([listening(port), once(child, 'exit').then(() => Promise.reject(new Error(log)))]);
    const visit = createVisitor(origin);
    const returned = await visit(await signIn((await visit('/oauth2/start?rd=/private')).location));
    expect([returned, log]).toMatchObject([{ status: 302, location: '/private' }, expect.any(String)]);
    const seen = async () => JSON.parse((await visit('/private')).text);
    const first = await seen();
    expect(first).toMatchObject({ 'x-forwarded-user': 'sam', 'x-forwarded-email': 'sam@example.com' });
    // It counts whole seconds: the first request of the next one refreshes.
    let second = first;
    while (second['x-forwarded-access-token'] === first['x-forwarded-access-token']) second = await seen();
    expect(second).toMatchObject({ 'x-forwarded-user': 'sam' });
    const [, link = ''] = /^# A link signs out: (.+)$/m.exec(signOut) ?? [];
    expect(await signOutAt((await visit(link)).location)).toBe(signedOutUri);
    expect((await visit('/bye')).status).toBe(200);
    expect((await visit('/private')).status).toBe(403);
  } finally {
    await upstream.close();
    rmSync(dir, { recursive: true });
  }
});

where(passport)('Passport signs a student in, refreshes and signs out', async () => {
  if (!passport) throw new Error('no Passport');
  const { port, origin, secret, settings, signOut, signedOutUri } = await install('passport', '/auth');
  // The settings are for a school at an https: address.
  const insecure = settings.replace(
    'ClientSecretBasic(process.env.CLIENT_SECRET),',
    (text) => `${text}\n  { execute: [client.allowInsecureRequests] },`,
  );
  const source = readFileSync(join(import.meta.dirname, 'sign-in/website.js.txt'), 'utf8')
    .replace('// SETTINGS', () => insecure)
    .replace('// SIGN-OUT', () => signOut);
  const env = { ...process.env, CLIENT_SECRET: secret, PORT: String(port) };
  const options = ['--input-type=module', '--eval', source];
  const child = spawn(process.execPath, options, { cwd: passport.dir, env, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  let log = '';
  child.stderr.on('data', (bytes: Buffer) => (log += bytes.toString()));
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(() => Promise.reject(new Error(log)))]);
  const visit = createVisitor(origin);
  const returned = await visit(await signIn((await visit('/login')).location));
  expect([returned.status, log]).toEqual([200, '']);
  const first = JSON.parse(returned.text);
  expect(first.user).toMatchObject({ sub: 'sam', roles: ['student'] });
  const second = JSON.parse((await visit('/refresh')).text);
  expect(second.access_token).not.toBe(first.access_token);
  expect(await signOutAt((await visit('/sign-out')).location)).toBe(signedOutUri);
  expect(JSON.parse((await visit('/bye')).text)).toEqual({});
});
