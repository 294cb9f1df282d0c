import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type SignInRecipe, signInRecipes } from '../../lib/features/applications/pages/sign-in-recipes.ts';
import { findApache } from '../../scripts/apache-binary.mjs';
import { findAuthlib } from '../../scripts/authlib.mjs';
import { startApache } from '../helpers/apache.ts';
import { authorize } from '../helpers/flow.ts';
import { freePort } from '../helpers/free-port.ts';
import { signingKey } from '../helpers/keys.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { siteOf } from '../helpers/sites.ts';
import { createVisitor } from '../helpers/website.ts';

let schools: Schools;
let children: ChildProcess[] = [];
beforeAll(async () => {
  const signing = await Promise.all([signingKey('es'), signingKey('rs', 'RS256')]);
  schools = await startSchools({ campus: { keys: { signing, cookies: ['a secret of the tests'] } } });
});
afterEach(async () => {
  for (const child of children) {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
  children = [];
});
afterAll(() => schools.close());

/** Software that signs in: where it is, its secret, and its settings as the page of the application shows them. */
interface Installed {
  readonly port: number;
  readonly origin: string;
  readonly secret: string;
  readonly settings: string;
}

async function install(id: SignInRecipe['id'], path: string): Promise<Installed> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const redirectUri = `${origin}${path}`;
  const { application, clientSecret = '' } = await schools.campus.applications.create(siteOf(schools), {
    clientName: 'Library',
    redirectUris: [redirectUri],
    scopes: ['openid', 'profile', 'email'],
    confidential: true,
    signIn: {},
  });
  const values = { issuer: schools.harbour, clientId: application.clientId, redirectUri, algorithm: 'RS256' } as const;
  const recipe = signInRecipes.find((each) => each.id === id);
  return { port, origin, secret: clientSecret, settings: recipe?.settings(values) ?? '' };
}

/** Sam allows, and comes back to the software. */
async function signIn(location: string): Promise<string> {
  const { url } = await authorize(schools.browser('sam'), new URL(location));
  return url.href;
}

const apache = findApache();
const authlib = findAuthlib();
/** What this machine lacks is skipped by its name. */
const where = (found: object | undefined): typeof test | typeof test.skip => (found ? test : test.skip);

where(apache)('Apache with mod_auth_openidc signs a student in, refreshes and signs out', async () => {
  if (!apache) throw new Error('no Apache');
  const { port, origin, secret, settings } = await install('apache', '/oidc-callback');
  // The hook shows the tokens, and takes no part in sign-in.
  const config = `${settings}OIDCInfoHook access_token userinfo\n`;
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
    await visit(`/oidc-callback?logout=${encodeURIComponent(`${origin}/bye`)}`);
    expect((await visit('/private')).location).toContain(`${schools.harbour}/oauth/authorize?`);
  } catch (error) {
    throw new Error(server.log(), { cause: error });
  } finally {
    await server.stop();
  }
});

where(authlib)('Authlib signs a student in, refreshes and signs out', async () => {
  if (!authlib) throw new Error('no Authlib');
  const { port, origin, secret, settings } = await install('authlib', '/auth');
  const env = { ...process.env, ...authlib.env, CLIENT_SECRET: secret, SETTINGS: settings, PORT: String(port) };
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
  await visit('/logout');
  expect((await visit('/refresh')).status).toBe(500);
});
