import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { AccessRule, AuditEvent, SchoolPlatform } from '../../lib/index.ts';
import { claimsOf } from '../../lib/observe/claimed-metadata.ts';
import { loopbackClients } from '../../policies/index.ts';
import { type Browser, decisionsOn, type Stop } from '../helpers/browser.ts';
import { passTime, resetClock } from '../helpers/clock.ts';
import {
  authorizeUrl,
  type Changes,
  connect,
  exchange,
  getCode,
  jsonResponse,
  memberApp,
  pkce,
  postForm,
  refresh,
  type TestClient,
  webMemberApp,
} from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { siteOf } from '../helpers/sites.ts';
import { askForDevice, confirmCode, enterCode, startDevice, withDevices } from '../features/device/devices.ts';

let schools: Schools;
let events: AuditEvent[];
/** What the policy says. */
let policy: () => AccessRule | undefined;
async function start(platform: Pick<SchoolPlatform, 'adminRoles'> = {}): Promise<void> {
  events = [];
  policy = () => undefined;
  schools = await startSchools({
    platform,
    campus: { ...withDevices, registration: [loopbackClients()], access: [() => policy()] },
  });
  schools.campus.events.on('audit', (event) => events.push(event));
}
beforeEach(() => start());
afterEach(async () => {
  resetClock();
  await schools.close();
});

const site = () => siteOf(schools, 'harbour');

/** An app of a person’s own computer, which registers itself under any name. */
async function registered(name = 'Tale Reader'): Promise<TestClient> {
  const redirectUri = 'http://127.0.0.1:50123/callback';
  const response = await register({ client_name: name, redirect_uris: [redirectUri] });
  return { id: String(response.body['client_id']), redirectUri, scope: 'openid profile' };
}

async function register(metadata: object) {
  const headers = { 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(metadata) };
  return jsonResponse(await fetch(`${schools.harbour}/api/oauth/register`, init));
}

const open = (browser: Browser, client: TestClient, changes: Changes = {}): Promise<Stop> =>
  browser.follow(authorizeUrl(schools.harbour, client, pkce(), changes));

const block = (): Promise<unknown> =>
  schools.campus.apps.set(site(), { clientId: webMemberApp.id }, { access: 'blocked' });

/** The reference that a page shows. */
function referenceOn(html: string): string | undefined {
  return /[\da-f]{8}-[\da-f-]{27}/.exec(html)?.[0];
}

interface Refusal {
  readonly reason: string;
  readonly by?: string | undefined;
  /** What the person does until they are refused. */
  readonly act: (browser: Browser) => Promise<Stop>;
  /** Sent back to the app, without a page. */
  readonly back?: true;
  readonly event?: Partial<AuditEvent>;
}

const callback = 'https://buddy.example/callback';
const web = { clientId: webMemberApp.id, claimed: { redirectUris: [callback] } };

const rows: Readonly<Record<string, Refusal>> = {
  'a client that nobody knows': {
    reason: 'unknown_client',
    act: (browser) => open(browser, { ...webMemberApp, id: 'nobody' }),
    event: { claimed: { clientId: 'nobody', redirectUris: [callback] } },
  },
  'a signed-in person with a client that nobody knows': {
    reason: 'unknown_client',
    by: 'sam',
    act: (browser) => open(browser, { ...webMemberApp, id: 'nobody' }),
  },
  'a redirect URI of another client': {
    reason: 'redirect_uri_mismatch',
    by: 'sam',
    act: (browser) => open(browser, webMemberApp, { redirect_uri: 'https://sam:pw@evil.example/cb?token=hush#top' }),
    event: { clientId: webMemberApp.id, claimed: { redirectUris: ['https://evil.example/cb'] } },
  },
  'an unknown scope': {
    reason: 'invalid_scope',
    back: true,
    act: (browser) => open(browser, webMemberApp, { scope: 'openid moon:read' }),
    event: web,
  },
  'another resource': {
    reason: 'invalid_target',
    back: true,
    act: (browser) => open(browser, webMemberApp, { resource: 'https://other.example' }),
    event: web,
  },
  'another response type': {
    reason: 'unsupported_response_type',
    back: true,
    act: (browser) => open(browser, webMemberApp, { response_type: 'token' }),
    event: web,
  },
  'no PKCE': {
    reason: 'pkce_missing',
    back: true,
    act: (browser) => open(browser, webMemberApp, { code_challenge: undefined, code_challenge_method: undefined }),
    event: web,
  },
  'prompt=none, and nobody is signed in': {
    reason: 'login_required',
    back: true,
    act: (browser) => open(browser, webMemberApp, { prompt: 'none' }),
    event: web,
  },
  'prompt=none, and the client is blocked': {
    reason: 'client_blocked',
    by: 'sam',
    back: true,
    act: async (browser) => {
      await block();
      return open(browser, webMemberApp, { prompt: 'none' });
    },
    event: web,
  },
  'a query that is too long': {
    reason: 'invalid_request',
    by: 'sam',
    act: (browser) => open(browser, webMemberApp, { state: 'x'.repeat(12_000) }),
  },
  'a person without a role': {
    reason: 'no_access',
    by: 'nora',
    act: (browser) => open(browser, webMemberApp),
    event: web,
  },
  'a member with an app for operators': {
    reason: 'no_operator',
    by: 'sam',
    act: async (browser) => open(browser, await registered()),
    event: { claimed: { name: 'Tale Reader', redirectUris: ['http://127.0.0.1:50123/callback'] } },
  },
  'a blocked client': {
    reason: 'client_blocked',
    by: 'sam',
    act: async (browser) => {
      await block();
      return open(browser, webMemberApp);
    },
    event: web,
  },
  'a client for other roles': {
    reason: 'client_role',
    by: 'sam',
    act: async (browser) => {
      const target = { clientId: webMemberApp.id };
      await schools.campus.apps.set(site(), target, { access: 'allowed', roles: ['teacher'] });
      return open(browser, webMemberApp);
    },
    event: web,
  },
  'a policy with a reason for the person': {
    reason: 'client_blocked',
    by: 'sam',
    act: (browser) => {
      policy = () => ({ access: 'blocked', text: 'Not in the holidays.' });
      return open(browser, webMemberApp);
    },
    event: web,
  },
  'a policy that leaves nothing': {
    reason: 'policy',
    by: 'sam',
    back: true,
    act: (browser) => {
      policy = () => ({ scopes: [] });
      return open(browser, webMemberApp);
    },
    event: web,
  },
  'a request to write, of somebody who cannot approve': {
    reason: 'needs_approval',
    by: 'sam',
    act: async (browser) => {
      await schools.campus.apps.set(site(), { clientId: webMemberApp.id }, { access: 'view_only' });
      return open(browser, webMemberApp, { scope: 'account:write' });
    },
    event: web,
  },
  'a request that has ended': {
    reason: 'request_ended',
    by: 'sam',
    act: (browser) => browser.follow(`${schools.harbour}/oauth/interaction/gone`),
  },
  'the page of devices, without a role': {
    reason: 'no_access',
    by: 'nora',
    act: (browser) => browser.follow(`${schools.harbour}/oauth/device`),
  },
  'a device whose app is blocked': {
    reason: 'client_blocked',
    by: 'sam',
    act: async (browser) => {
      const { userCode } = await startDevice(schools.harbour);
      await schools.campus.apps.set(site(), { clientId: 'terminal' }, { access: 'blocked' });
      return confirmCode(browser, schools.harbour, userCode);
    },
    event: { clientId: 'terminal' },
  },
};

describe('leaves one event when it is shown', () => {
  test.each(Object.entries(rows))('%s', async (_name, { reason, by, act, back, event }) => {
    const { html, url } = await act(schools.browser(by));
    const refused = events.filter(({ outcome, action }) => outcome === 'refused' && action !== 'app.decided');
    expect(refused).toMatchObject([{ action: 'authorization.refused', reason, ...event }]);
    expect(refused[0]?.memberId).toBe(by);
    expect(refused[0]?.actor).toMatchObject(by === undefined ? { kind: 'anonymous' } : { id: by });
    if (back) expect([html, url.href]).toEqual(['', expect.stringMatching(/[?#&]error=/)]);
    else expect(referenceOn(html)).toBe(refused[0]?.requestId);
    expect(schools.faults).toEqual([]);
  });

  test('and none when the person goes back from it', async () => {
    await block();
    const browser = schools.browser('sam');
    const page = await open(browser, webMemberApp);
    events.splice(0);
    expect(decisionsOn(page.html)).toEqual(['ask', 'deny']);
    const { url } = await browser.decide(page, 'deny');
    expect(url.searchParams.get('error')).toBe('access_denied');
    expect(events).toEqual([]);
  });

  test('what the person declines is consent.denied, alone', async () => {
    const browser = schools.browser('sam');
    await browser.decide(await open(browser, webMemberApp), 'deny');
    expect(events).toMatchObject([{ action: 'consent.denied', reason: 'declined', memberId: 'sam' }]);
  });

  test.each([
    ['that nobody knows', 'bcdf-bcdf', 'user_code_unknown'],
    ['that is empty', '', undefined],
  ])('a code of a device %s', async (_name, code, reason) => {
    const { html } = await enterCode(schools.browser('sam'), schools.harbour, code);
    expect(readPage(html).getByRole('alert').text).not.toBe('');
    expect(events.map((event) => event.reason)).toEqual(reason === undefined ? [] : [reason]);
  });

  test('a device that asks for an unknown scope', async () => {
    expect((await askForDevice(schools.harbour, undefined, { scope: 'moon:read' })).status).toBe(400);
    const actor = { kind: 'client', id: 'terminal' };
    expect(events).toMatchObject([{ action: 'authorization.refused', reason: 'invalid_scope', actor }]);
    expect(events[0]).not.toHaveProperty('memberId');
  });

  test('an app that wants JSON', async () => {
    const url = authorizeUrl(schools.harbour, { ...webMemberApp, id: 'nobody' }, pkce());
    expect((await fetch(url, { headers: { accept: 'application/json' } })).status).toBe(400);
    expect(events).toMatchObject([{ action: 'authorization.refused', reason: 'unknown_client' }]);
  });
});

describe('without bounds', () => {
  test('strangers leave 60 events a minute, and hide none of a person', async () => {
    const url = authorizeUrl(schools.harbour, { ...webMemberApp, id: 'nobody' }, pkce());
    for (let i = 0; i < 65; i += 1) await schools.browser().fetch(url);
    expect(events).toHaveLength(60);
    await schools.browser('sam').fetch(url);
    expect(events).toHaveLength(61);
    expect(events.at(-1)).toMatchObject({ memberId: 'sam' });
    expect(events.at(-1)).not.toHaveProperty('omitted');
    passTime(60);
    await schools.browser().fetch(url);
    expect(events.at(-1)).toMatchObject({ omitted: 5 });
  });

  test('refused registrations leave 60 a minute', async () => {
    for (let i = 0; i < 62; i += 1) await register({ redirect_uris: ['https://evil.example/'] });
    expect(events).toHaveLength(60);
  });
});

describe('what an app says of itself', () => {
  test('a refused registration has the name and the callbacks, bounded, without queries', async () => {
    const uris = Array.from({ length: 8 }, (_, i) => `https://user:pw@evil.example/${i}?token=hush#top`);
    await register({ client_name: `Tale\nReader\u202E${'x'.repeat(300)}`, redirect_uris: uris });
    const { action, claimed } = events[0] ?? {};
    expect(action).toBe('registration.refused');
    expect(claimed?.name).toBe(`Tale Reader ${'x'.repeat(88)}`);
    expect(claimed?.redirectUris).toEqual([0, 1, 2, 3, 4].map((i) => `https://evil.example/${i}`));
    expect(JSON.stringify(events)).not.toMatch(/hush|pw|top/);
  });

  test('so has one that is not well-formed', async () => {
    await register({ client_name: 'Tale Reader', redirect_uris: 'https://evil.example/' });
    expect(events).toMatchObject([{ action: 'registration.refused', claimed: { name: 'Tale Reader' } }]);
  });

  test.each<[string, unknown, string | undefined]>([
    ['an id', 'my-app', 'my-app'],
    ['the id of a release', 'reg-0123456789abcdefghijkl', 'reg-0123456789abcdefghijkl'],
    ['a document', 'https://docs.example/client.json?key=hush', 'https://docs.example/client.json'],
    ['a token or secret', 'x'.repeat(43), undefined],
    ['an e-mail address', 'sam@example.com', undefined],
    ['lines', 'a\n{"action":"consent.given"}', undefined],
    ['markup', '<script>', undefined],
    ['a list', ['my-app'], undefined],
  ])('a client_id that is %s', (_name, sent, clientId) => {
    expect(claimsOf({ clientId: sent, name: undefined, redirectUris: undefined })?.clientId).toBe(clientId);
  });

  test.each<[string, unknown, string | undefined]>([
    ['a private scheme', 'com.example.app:/cb?x=1', 'com.example.app:/cb'],
    ['an e-mail address', 'mailto:sam@example.com', 'mailto:'],
    ['an escaped one', 'https://evil.example/sam%40example.com', 'https://evil.example'],
    ['one that is escaped twice', 'https://evil.example/sam%2540example.com', 'https://evil.example'],
    ['anything behind a scheme', 'myapp:token=hush', 'myapp:'],
    ['a telephone number', 'tel:+49301234567', 'tel:'],
    ['a path with a token', `https://evil.example/cb/${'x'.repeat(43)}`, 'https://evil.example'],
    ['no address', 'callback', undefined],
    ['a number', 7, undefined],
    ['long', `https://evil.example/${'long/'.repeat(60)}`, `https://evil.example/${'long/'.repeat(60)}`.slice(0, 200)],
    ['endless', `https://evil.example/${'x'.repeat(3000)}`, undefined],
  ])('a callback that is %s', (_name, sent, uri) => {
    expect(claimsOf({ clientId: undefined, name: undefined, redirectUris: [sent] })?.redirectUris?.[0]).toBe(uri);
  });

  test.each([
    ['an e-mail address', 'sam@example.com'],
    ['nothing that shows', ' \u200B\u3164\n'],
    ['an object', { toString: 'x' }],
  ])('a name that is %s is left out', (_name, name) => {
    expect(claimsOf({ clientId: undefined, name, redirectUris: undefined })).toBeUndefined();
  });

  const refreshing = { grant_type: 'refresh_token', refresh_token: 'none' };
  test.each<[string, string, Changes, AuditEvent['action']]>([
    ['the token endpoint', '/api/oauth/token', refreshing, 'token.refused'],
    ['revocation', '/api/oauth/revoke', { token: 'none' }, 'revocation.refused'],
    ['introspection', '/api/oauth/introspect', { token: 'none' }, 'introspection.refused'],
    ['the endpoint of devices', '/api/oauth/device_authorization', { scope: 'openid' }, 'authorization.refused'],
  ])('an unknown client at %s is named, and is not the client of the event', async (_where, path, form, action) => {
    const { status } = await postForm(schools.harbour + path, { ...form, client_id: 'nobody' });
    expect(status).toBe(401);
    expect(events).toMatchObject([{ action, reason: 'invalid_client', claimed: { clientId: 'nobody' } }]);
    expect(events[0]).not.toHaveProperty('clientId');
  });

  test('so is one that sends a wrong secret, which is in no event', async () => {
    const form = { ...refreshing, client_id: webMemberApp.id, client_secret: 'hush' };
    expect((await postForm(`${schools.harbour}/api/oauth/token`, form)).status).toBe(401);
    expect(events).toMatchObject([{ action: 'token.refused', reason: 'invalid_client', clientId: webMemberApp.id }]);
    expect(JSON.stringify(events)).not.toContain('hush');
  });
});

test('the secret of a client in code, sent as its id by mistake, is in no event', async () => {
  const form = {
    grant_type: 'refresh_token',
    refresh_token: 'none',
    client_id: 'reports-secret',
    client_secret: 'reports',
  };
  expect((await postForm(`${schools.harbour}/api/oauth/token`, form)).status).toBe(401);
  expect(events).toMatchObject([{ action: 'token.refused', reason: 'invalid_client' }]);
  expect(JSON.stringify(events)).not.toContain('reports-secret');
});

describe('a refused redemption names the person and the connection', () => {
  const parties = { memberId: 'sam', connectionId: expect.any(String), familyId: expect.any(String) };

  test('with a wrong verifier', async () => {
    const code = await getCode(schools.browser('sam'), schools.harbour, memberApp);
    events.splice(0);
    await exchange(code, { code_verifier: 'x'.repeat(43) });
    expect(events).toMatchObject([{ action: 'token.refused', clientId: memberApp.id, ...parties }]);
  });

  test('of a person who has lost access', async () => {
    const { body } = await connect(schools.browser('sam'), schools.harbour, memberApp);
    const { connectionId } = events.at(-1) ?? {};
    schools.people['harbour'] = { sam: { id: 'sam', roles: [] } };
    events.splice(0);
    await refresh(schools.harbour, memberApp, body['refresh_token']);
    expect(events).toMatchObject([{ action: 'token.refused', ...parties, connectionId }]);
  });

  test('but not of the tokens of another client', async () => {
    const { body } = await connect(schools.browser('sam'), schools.harbour, memberApp);
    events.splice(0);
    await refresh(schools.harbour, { ...webMemberApp }, body['refresh_token']);
    expect(events).toMatchObject([{ action: 'token.refused', clientId: webMemberApp.id }]);
    expect(events[0]).not.toHaveProperty('connectionId');
    expect(events[0]).not.toHaveProperty('memberId');
  });
});
