import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import { memoryStore } from '../../adapters/memory/index.ts';
import type { AuditEvent } from '../../lib/index.ts';
import { defineTool } from '../../lib/mcp/index.ts';
import type { NewRecord, Redemption, Store } from '../../lib/store.ts';
import { issueTokens, type TokenResponse } from '../../lib/testing/index.ts';
import { knownDocuments, loopbackClients, metadataDocuments } from '../../policies/index.ts';
import { connect, introspect, jsonResponse, refresh, type TestClient, userinfo } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';
import { type ClientOfKind, clientsOfAllKinds, revoke } from './clients-of-all-kinds.ts';

/** What was written for tokens. */
let written: (NewRecord | Redemption)[] = [];

function watchedStore(): Store {
  const inner = memoryStore();
  return {
    ...inner,
    save: (siteId, entry) => {
      if (['Grant', 'AuthorizationCode'].includes(entry.kind)) written.push(entry);
      return inner.save(siteId, entry);
    },
    redeem: (siteId, redemption) => {
      written.push(redemption);
      return inner.redeem(siteId, redemption);
    },
  };
}

let schools: Schools;
beforeAll(async () => {
  const whoAmI = defineTool({
    name: 'who_am_i',
    description: 'Says who calls.',
    access: { scopes: ['openid'] },
    run: (_args, { token }) => `${token?.member.id} through ${token?.clientId}`,
  });
  schools = await startSchools({
    mcp: { tools: [whoAmI] },
    campus: {
      store: watchedStore(),
      registration: [loopbackClients()],
      metadataDocuments: metadataDocuments({ documents: knownDocuments }),
      limits: { authorizations: { perAddress: 1000, perSite: 1000 } },
    },
    app: (campus) =>
      new Koa()
        .use(campus.middleware())
        .use(campus.requireAccess({ scopes: ['openid'] }))
        .use((ctx) => {
          ctx.body = ctx.state['access'];
        }),
  });
});
afterAll(() => schools.close());

/** Without what differs between any two sign-ins: ids, times, and what the browser of a person adds. */
function comparable(value: unknown): unknown {
  const text = JSON.stringify(value, (name, each: unknown) => {
    if (
      /^(?:id|sealed|grantId|familyId|now|iat|exp|ttl|replaces|codeChallenge|nonce|redirectUri|authTime|amr|expiresAt|at)$/.test(
        name,
      )
    ) {
      return undefined;
    }
    return name === 'record' && typeof each === 'string' ? JSON.parse(each) : each;
  });
  return JSON.parse(text);
}

type Tokens = Pick<TokenResponse, 'access_token' | 'refresh_token' | 'id_token'>;

async function realTokens(
  { memberId, scopes }: ClientOfKind,
  client: TestClient,
): Promise<Readonly<Record<string, unknown>>> {
  const changes = { scope: scopes.join(' '), nonce: undefined };
  return (await connect(schools.browser(memberId), schools.harbour, client, changes)).body;
}

function issuedTokens({ memberId, scopes }: ClientOfKind, client: TestClient): Promise<TokenResponse> {
  return issueTokens(schools.campus, { site: schools.harbour, memberId, clientId: client.id, scopes });
}

function bearer(path: string, token: unknown, body?: object): Promise<Response> {
  return fetch(`${schools.harbour}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${String(token)}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
}

const toolCall = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'who_am_i', arguments: {} } };

/** Every endpoint that takes tokens; the last one ends them. */
const endpoints: Readonly<Record<string, (client: TestClient, tokens: Tokens) => Promise<unknown>>> = {
  userinfo: async (_client, { access_token: token }) => userinfo(schools.harbour, token),
  'introspect, access token': async (client, { access_token: token }) => introspect(schools.harbour, client, token),
  'introspect, refresh token': async (client, { refresh_token: token }) => introspect(schools.harbour, client, token),
  '/member/graphql': async (_client, { access_token: token }) =>
    jsonResponse(await bearer('/member/graphql', token, { query: '{ viewer { email } }' })),
  '/mcp': async (_client, { access_token: token }) => jsonResponse(await bearer('/mcp', token, toolCall)),
  requireAccess: async (_client, { access_token: token }) => jsonResponse(await bearer('/api/lessons', token)),
  'campus.connections': async ({ id }) => {
    const site = harbourSite(schools.harbour);
    const all = await Promise.all(['sam', 'olivia'].map((member) => schools.campus.connections.list(site, member)));
    return all
      .flat()
      .filter(({ clientId }) => clientId === id)
      .map(({ createdAt: _c, allowedAt: _a, lastUsedAt: _l, ...rest }) => rest);
  },
  refresh: async (client, tokens) => {
    const { status, body } = await refresh(schools.harbour, client, tokens.refresh_token);
    const old = await userinfo(schools.harbour, tokens.access_token);
    const fresh = await userinfo(schools.harbour, body['access_token']);
    return [status, Object.keys(body).sort(), body['scope'], body['expires_in'], old.status, fresh.body];
  },
  revoke: async (client, tokens) => {
    const { status } = await revoke(schools.harbour, client, tokens.access_token);
    return [status, (await userinfo(schools.harbour, tokens.access_token)).status];
  },
};

describe.each(clientsOfAllKinds)('the tokens of $kind', (row) => {
  let client: TestClient;
  let real: Readonly<Record<string, unknown>>;
  let issued: TokenResponse;
  let writes: { readonly real: unknown; readonly issued: unknown };
  beforeAll(async () => {
    client = await row.client(schools);
    // Puts the document of a widely used app into the store, so that the real flow fetches nothing.
    await issuedTokens(row, client);
    written = [];
    real = await realTokens(row, client);
    const ofReal = written.splice(0);
    issued = await issuedTokens(row, client);
    writes = { real: comparable(ofReal), issued: comparable(written) };
  });

  test('are answered and stored as those of a real flow', () => {
    expect(writes.issued).toEqual(writes.real);
    expect(Object.keys(issued).sort()).toEqual(Object.keys(real).sort());
    expect(issued).toMatchObject({ token_type: 'Bearer', scope: row.scopes.join(' '), expires_in: real['expires_in'] });
    expect(typeof issued.refresh_token).toBe('string');
    expect(comparable(claimsOf(issued.id_token))).toEqual(comparable(claimsOf(real['id_token'])));
  });

  test.each(Object.keys(endpoints))('are treated by %s as those of a real flow', async (name) => {
    const call = endpoints[name];
    if (!call) throw new Error(name);
    const read = (body: Readonly<Record<string, unknown>>): string => String(body['access_token']);
    const outcomes = [];
    for (const body of [real, { ...issued }]) {
      outcomes.push(
        comparable(
          without(await call(client, { access_token: read(body), refresh_token: String(body['refresh_token']) })),
        ),
      );
    }
    expect(outcomes[1]).toEqual(outcomes[0]);
    expect(JSON.stringify(outcomes[1])).not.toMatch(/"active":false|"status":[45]/);
  });
});

/** A response without its headers. */
function without(response: unknown): unknown {
  if (typeof response !== 'object' || response === null || !('headers' in response)) return response;
  const { headers: _headers, ...rest } = response;
  return rest;
}

function claimsOf(idToken: unknown): unknown {
  return JSON.parse(Buffer.from(String(idToken).split('.')[1] ?? '', 'base64url').toString());
}

test('without openid there is no ID token', async () => {
  const request = { site: schools.harbour, memberId: 'olivia', clientId: 'reports', scopes: ['courses:read'] };
  expect(Object.keys(await issueTokens(schools.campus, request)).sort()).toEqual([
    'access_token',
    'expires_in',
    'refresh_token',
    'scope',
    'token_type',
  ]);
});

test('the events are those of the campus, and a school can be given as it is', async () => {
  const events: AuditEvent[] = [];
  const listen = (event: AuditEvent): void => void events.push(event);
  schools.campus.events.on('audit', listen);
  const site = harbourSite(schools.harbour);
  const { access_token: token } = await issueTokens(schools.campus, {
    site,
    memberId: 'sam',
    clientId: 'member-app',
    scopes: ['account:read'],
  });
  schools.campus.events.off('audit', listen);
  expect(events.map(({ action }) => action)).toEqual(['consent.given', 'authorization.granted', 'token.issued']);
  expect(await schools.campus.verify(site, token)).toMatchObject({ member: { id: 'sam' }, scopes: ['account:read'] });
});

test('the tokens say how strongly the person is authenticated, and when they signed in', async () => {
  const site = harbourSite(schools.harbour);
  const request = { site, memberId: 'sam', clientId: 'member-app', scopes: ['openid'] };
  const authTime = Math.floor(Date.now() / 1000) - 7200;
  const tokens = await issueTokens(schools.campus, { ...request, acr: 'mfa', authTime });
  expect(await schools.campus.verify(site, tokens.access_token)).toMatchObject({ acr: 'mfa', authTime });
  // The next ones are of another sign-in.
  const others = await issueTokens(schools.campus, request);
  const verified = await schools.campus.verify(site, others.access_token);
  expect(verified.acr).toBeUndefined();
  expect(verified.authTime).toBeGreaterThan(authTime);
});
