import { afterEach, describe, expect, test } from '@jest/globals';
import type { CampusOptions, AccessPolicy } from '../../lib/index.ts';
import { authorizeUrl, connect, memberApp, pkce, refresh } from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { siteOf } from '../helpers/sites.ts';
import { post } from './graphql.ts';

let schools: Schools;
afterEach(() => schools.close());

const start = async (campus: Partial<CampusOptions> = {}): Promise<void> => {
  schools = await startSchools({ memberApi: {}, campus });
};

const withEmail = 'openid profile email account:read';
const withoutEmail = 'openid profile account:read';

async function tokenFor(scope: string): Promise<string> {
  const { body } = await connect(schools.browser('sam'), schools.harbour, memberApp, { scope });
  return String(body['access_token']);
}

async function viewer(token: string): Promise<unknown> {
  const { body } = await post(schools.harbour, token, { query: '{ viewer { id name email } }' });
  expect(body.errors).toBeUndefined();
  return Object(body.data).viewer;
}

/** What the page of consent and that of the app say that the client sees. */
async function promised(scope: string): Promise<boolean[]> {
  const url = authorizeUrl(schools.harbour, memberApp, pkce(), { scope, prompt: 'consent' });
  const consent = await schools.browser('sam').follow(url);
  const [connection] = await schools.campus.connections.list(siteOf(schools), 'sam');
  const app = await schools.browser('sam').follow(`${schools.harbour}/account/apps/${connection?.id}`);
  return [consent, app].map(({ html }) => readPage(html).text.includes('Your email address'));
}

const sam = { id: 'sam', name: 'Sam Student', email: 'sam@example.com' };

const noEmail: AccessPolicy = ({ scopes, member }) =>
  member?.id === 'sam' && scopes.includes('email')
    ? { scopes: scopes.filter((scope) => scope !== 'email') }
    : undefined;

describe('Viewer.email', () => {
  test.each([withEmail, withoutEmail])('is the address for a client that asked for %s', async (scope) => {
    await start();
    expect(await viewer(await tokenFor(scope))).toEqual(sam);
    expect(await promised(scope)).toEqual([true, true]);
  });

  test('is the address for a token that was narrowed to less than the client has', async () => {
    await start();
    const { body } = await connect(schools.browser('sam'), schools.harbour, memberApp, { scope: withEmail });
    const less = await refresh(schools.harbour, memberApp, body['refresh_token'], { scope: 'openid' });
    expect(await viewer(String(less.body['access_token']))).toEqual(sam);
  });

  const hidden: [string, Partial<CampusOptions>][] = [
    ['a rule of the platform', { access: [() => ({ scopes: ['openid', 'profile', 'account:read'] })] }],
    ['a policy for one person', { access: [noEmail] }],
    [
      'a policy that allows all but that',
      { access: [({ scopes }) => ({ scopes: scopes.filter((scope) => scope !== 'email') })] },
    ],
  ];
  describe.each(hidden)('%s that leaves the app without email', (_what, campus) => {
    test.each([withEmail, withoutEmail])('makes it null, also if the client asked for %s', async (scope) => {
      await start(campus);
      expect(await viewer(await tokenFor(scope))).toEqual({ ...sam, email: null });
      expect(await promised(scope)).toEqual([false, false]);
    });
  });

  test.each([withEmail, withoutEmail])('is null where the school has such a rule: %s', async (scope) => {
    await start();
    const scopes = ['openid', 'profile', 'account:read'] as const;
    await schools.campus.apps.set(siteOf(schools), { clientId: memberApp.id }, { access: 'allowed', scopes });
    expect(await viewer(await tokenFor(scope))).toEqual({ ...sam, email: null });
    expect(await promised(scope)).toEqual([false, false]);
  });

  test('is null once a rule of the platform takes it away, for a token of before', async () => {
    let scopes = withEmail.split(' ');
    await start({ access: [() => ({ scopes })] });
    const token = await tokenFor(withEmail);
    expect(await viewer(token)).toEqual(sam);
    scopes = withoutEmail.split(' ');
    expect(await viewer(token)).toEqual({ ...sam, email: null });
  });

  test('is null once the person has taken it away', async () => {
    await start();
    const { body } = await connect(schools.browser('sam'), schools.harbour, memberApp, { scope: withEmail });
    const site = siteOf(schools);
    const [connection] = await schools.campus.connections.list(site, 'sam');
    await schools.campus.connections.narrow(site, 'sam', String(connection?.id), ['email']);
    const next = await refresh(schools.harbour, memberApp, body['refresh_token']);
    expect(await viewer(String(next.body['access_token']))).toEqual({ ...sam, email: null });
  });

  test('and Viewer.name are null for a person without them, and the rest is served', async () => {
    await start();
    schools.people['harbour'] = { sam: { id: 'sam', name: ' ', email: null, roles: ['student'] } };
    expect(await viewer(await tokenFor(withEmail))).toEqual({ id: 'sam', name: null, email: null });
  });

  test('is an error, and not null, while nobody can tell', async () => {
    let away = false;
    const ask: AccessPolicy = {
      at: ['connect'],
      decide: () => {
        if (away) throw new Error('the policy is away');
        return undefined;
      },
    };
    await start({ access: [ask] });
    const token = await tokenFor(withoutEmail);
    away = true;
    const { body } = await post(schools.harbour, token, { query: '{ viewer { id email } }' });
    expect(body.errors).toMatchObject([{ extensions: { code: 'TEMPORARILY_UNAVAILABLE' } }]);
  });
});
