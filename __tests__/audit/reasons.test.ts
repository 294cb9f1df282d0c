import { afterEach, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import type { AccessPolicy, AuditEvent, Site } from '../../lib/index.ts';
import type { Tool } from '../../lib/mcp/index.ts';
import { resetClock, setClockAhead } from '../helpers/clock.ts';
import { authorizeUrl, connect, introspect, memberApp, pkce, userinfo, webMemberApp } from '../helpers/flow.ts';
import { expectError } from '../helpers/responses.ts';
import { type Schools, type SchoolsOptions, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';
import { callTool, message } from '../mcp/rpc.ts';

let schools: Schools;
let events: AuditEvent[];
async function start(options: SchoolsOptions = {}): Promise<void> {
  schools = await startSchools(options);
  events = [];
  schools.campus.events.on('audit', (event) => events.push(event));
}
afterEach(async () => {
  resetClock();
  await schools.close();
});

const site = (origin = schools.harbour): Site => {
  return harbourSite(origin);
};

describe('a bearer token that is refused', () => {
  const parties = { clientId: 'member-app', memberId: 'sam', actor: { kind: 'anonymous' } };
  const withIds = { ...parties, connectionId: expect.any(String), familyId: expect.any(String) };

  async function tokenOfSam(): Promise<unknown> {
    const { body } = await connect(schools.browser('sam'), schools.harbour, memberApp);
    events.splice(0);
    return body['access_token'];
  }

  test('because it was issued at another origin of the school', async () => {
    await start();
    const token = await tokenOfSam();
    await expect(schools.campus.verify(site('https://harbour.example'), String(token))).rejects.toThrow('origin');
    expect(events).toMatchObject([{ action: 'token.rejected', reason: 'other_origin', ...withIds }]);
  });

  test('because the member has lost access', async () => {
    await start();
    const token = await tokenOfSam();
    schools.people['harbour'] = { sam: { id: 'sam', roles: [] } };
    expect((await userinfo(schools.harbour, token)).status).toBe(401);
    expect(events).toMatchObject([{ action: 'token.rejected', reason: 'no_access', ...withIds }]);
  });

  test('because the platform no longer knows the member, whose connections end', async () => {
    await start();
    const token = await tokenOfSam();
    delete schools.people['harbour']?.['sam'];
    expect((await userinfo(schools.harbour, token)).status).toBe(401);
    expect(events).toMatchObject([
      { action: 'connection.ended', reason: 'person_gone', memberId: 'sam' },
      { action: 'token.rejected', reason: 'person_gone', ...withIds },
    ]);
  });

  test('because it has expired, though the store still has it', async () => {
    const store = memoryStore();
    const redeem: typeof store.redeem = (siteId, redemption) =>
      store.redeem(siteId, { ...redemption, tokens: redemption.tokens.map((each) => ({ ...each, ttl: 86_400 })) });
    await start({ campus: { store: { ...store, redeem }, lifetimes: { accessToken: 60 } } });
    const token = await tokenOfSam();
    setClockAhead(61);
    expect((await userinfo(schools.harbour, token)).status).toBe(401);
    expect(events).toMatchObject([{ action: 'token.rejected', reason: 'expired', ...withIds }]);
  });

  test('because it is bound to a key, whatever is on', async () => {
    const store = memoryStore();
    const bound = (record: string): string => JSON.stringify({ ...JSON.parse(record), jkt: 'a-thumbprint' });
    const redeem: typeof store.redeem = (siteId, redemption) => {
      const tokens = redemption.tokens.map((each) => ({ ...each, record: bound(each.record) }));
      return store.redeem(siteId, { ...redemption, tokens });
    };
    await start({ campus: { store: { ...store, redeem } } });
    const token = await tokenOfSam();
    expectError(await userinfo(schools.harbour, token), 401, 'invalid_token');
    await expect(schools.campus.verify(site(), String(token))).rejects.toThrow('bound to a key');
    const rejected = { action: 'token.rejected', reason: 'key_not_proven', ...withIds };
    expect(events).toMatchObject([rejected, rejected]);
    const { body } = await introspect(schools.harbour, memberApp, token);
    expect(body).toMatchObject({ active: true, token_type: 'DPoP', cnf: { jkt: 'a-thumbprint' } });
  });
});

test('a client that a policy blocks', async () => {
  const policy: AccessPolicy = () => ({ access: 'blocked' });
  await start({ campus: { access: [policy] } });
  await schools.browser('sam').follow(authorizeUrl(schools.harbour, webMemberApp, pkce()));
  expect(events).toMatchObject([
    {
      action: 'authorization.refused',
      reason: 'client_blocked',
      actor: { kind: 'member', id: 'sam' },
      clientId: webMemberApp.id,
    },
  ]);
});

test('connections that end because their application is removed', async () => {
  await start();
  const { application, clientSecret } = await schools.campus.applications.create(site(), {
    clientName: 'Timer',
    redirectUris: ['https://timer.example/callback'],
    scopes: ['openid'],
    confidential: true,
  });
  const { clientId, redirectUris } = application;
  const client = { id: clientId, redirectUri: redirectUris[0] ?? '', secret: clientSecret ?? '', scope: 'openid' };
  await connect(schools.browser('sam'), schools.harbour, client);
  events.splice(0);
  await schools.campus.applications.remove(site(), clientId);
  const parties = { siteId: 'harbour', actor: { kind: 'administrator' }, clientId };
  expect(events).toMatchObject([
    { action: 'application.removed', ...parties },
    { action: 'connection.ended', reason: 'application_removed', connections: 1, memberIds: ['sam'], ...parties },
  ]);
});

describe('a limit that is reached', () => {
  const none = { perAddress: 0, perSite: 0 };
  const tool: Tool = { name: 'open', description: 'A tool.', access: 'public', run: () => 'done' };

  test('by calls without a token', async () => {
    await start({ mcp: { tools: [tool] }, campus: { limits: { anonymousCalls: none } } });
    expect((await callTool(schools.harbour, 'open')).status).toBe(429);
    expect(events).toMatchObject([{ action: 'quota.exceeded', reason: 'anonymousCalls', outcome: 'refused' }]);
  });

  test.each([
    [undefined, { kind: 'anonymous' }],
    ['sam', { kind: 'member', id: 'sam' }],
  ])('by authorization requests of %s', async (person, actor) => {
    await start({ campus: { limits: { authorizations: none } } });
    await schools.browser(person).follow(authorizeUrl(schools.harbour, webMemberApp, pkce()));
    const [event, ...others] = events.filter(({ action }) => action === 'quota.exceeded');
    expect(event).toMatchObject({ reason: 'authorizations', actor });
    expect(others).toEqual([]);
  });
});

test('a tool whose caller goes away', async () => {
  const { promise: started, resolve: begin } = Promise.withResolvers<void>();
  const tool: Tool = {
    name: 'hangs',
    description: 'A tool.',
    access: 'public',
    run: () => {
      begin();
      return new Promise(() => {});
    },
  };
  await start({ mcp: { tools: [tool] } });
  const reported = new Promise((done) => schools.campus.events.once('audit', done));
  const { body, headers } = message('2025-11-25', 'tools/call', { name: 'hangs', arguments: {} });
  const caller = new AbortController();
  const init = { method: 'POST', headers, body: JSON.stringify(body), signal: caller.signal };
  const sent = fetch(`${schools.harbour}/mcp`, init).catch(() => 'gone');
  await started;
  caller.abort();
  expect([await sent, await reported]).toMatchObject([
    'gone',
    { action: 'tool.called', tool: { name: 'hangs', outcome: 'disconnected' } },
  ]);
});
