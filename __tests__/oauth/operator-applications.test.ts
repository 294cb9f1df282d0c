import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import type { Application, NewApplication, Site } from '../../lib/index.ts';
import { decisionsOn } from '../helpers/browser.ts';
import { allScopes, mayHave } from '../helpers/scopes.ts';
import { getJson } from '../conformance/probes.ts';
import {
  authorizeUrl,
  connect,
  exchange,
  getCode,
  introspect,
  type JsonResponse,
  jsonResponse,
  pkce,
  refresh,
  type TestClient,
  userinfo,
} from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { expectError, redirectQuery } from '../helpers/responses.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { siteOf } from '../helpers/sites.ts';
import { callTool, listedNames, message, resultOf } from '../mcp/rpc.ts';
import { accessTools } from '../mcp/tools.ts';

let schools: Schools;
beforeEach(async () => {
  schools = await startSchools({
    mcp: { tools: accessTools },
    app: (campus) => {
      const app = new Koa();
      app.silent = true;
      app.use(campus.middleware()).use(campus.requireAccess({ scopes: ['courses:write'] }));
      return app.use((ctx) => {
        ctx.body = { done: true };
      });
    },
  });
});
afterEach(() => schools.close());

const at = (id: 'harbour' | 'summit' = 'harbour'): Site => siteOf(schools, id);

/** A self-hosted assistant, for example LibreChat. */
const assistant = {
  audience: 'operator',
  clientName: 'School Chat',
  redirectUris: ['https://chat.school.example/api/mcp/campus/oauth/callback'],
  scopes: ['openid', 'profile', 'courses:read', 'courses:write'],
  confidential: true,
  clientUri: 'https://chat.school.example/',
} as const satisfies NewApplication;

type Created = TestClient & { readonly secret: string; readonly application: Application };

async function create(change: Partial<NewApplication> = {}): Promise<Created> {
  const { application, clientSecret = '' } = await schools.campus.applications.create(at(), {
    ...assistant,
    ...change,
  });
  const { clientId: id, redirectUris, scopes } = application;
  return { id, redirectUri: redirectUris[0] ?? '', secret: clientSecret, scope: scopes.join(' '), application };
}

const tokenOf = ({ body }: JsonResponse): string => String(body['access_token']);
const publish = (token: string, origin = schools.harbour): Promise<JsonResponse> =>
  callTool(origin, 'courses', { action: 'publish' }, { token });
const manage = (token: string): Promise<JsonResponse> =>
  getJson(`${schools.harbour}/admin/courses`, { authorization: `Bearer ${token}` });

describe('an application for operators', () => {
  test('of a self-hosted assistant: from its creation to a tool of the Admin API, and to its removal', async () => {
    const client = await create();
    expect(client.application).toMatchObject(assistant);
    const issued = await getCode(schools.browser('olivia'), schools.harbour, client);
    expectError(await exchange(issued, { client_secret: undefined }), 401, 'invalid_client');
    const first = await exchange(issued);
    expect(first).toMatchObject({ status: 200, body: { scope: client.scope } });
    expect((await introspect(schools.harbour, client, tokenOf(first))).body).toMatchObject({
      client_audience: 'operator',
      aud: schools.harbour,
    });
    const { body } = await publish(tokenOf(first));
    expect(resultOf(body)['structuredContent']).toEqual({ did: { action: 'publish' } });
    expect(await manage(tokenOf(first))).toMatchObject({ status: 200, body: { done: true } });

    const second = await refresh(schools.harbour, client, first.body['refresh_token']);
    expect((await publish(tokenOf(second))).status).toBe(200);

    const { clientSecret = '' } = await schools.campus.applications.rotateSecret(at(), client.id);
    const renewed = { ...client, secret: clientSecret };
    expectError(await refresh(schools.harbour, client, second.body['refresh_token']), 401, 'invalid_client');
    const third = await refresh(schools.harbour, renewed, second.body['refresh_token']);
    expect((await publish(tokenOf(third))).status).toBe(200);

    expect(await schools.campus.applications.remove(at(), client.id)).toEqual({ connections: 1 });
    expectError(await publish(tokenOf(third)), 401, 'invalid_token');
    expectError(await manage(tokenOf(third)), 401, 'invalid_token');
    expectError(await refresh(schools.harbour, renewed, third.body['refresh_token']), 401, 'invalid_client');
  });

  test('connects from /mcp/operator: the scopes of the challenge are narrowed to its own, its address is the resource', async () => {
    const client = await create();
    const address = `${schools.harbour}/mcp/operator`;
    const call = async (token?: string): Promise<JsonResponse> => {
      const args = { name: 'courses', arguments: { action: 'publish' } };
      const { body, headers } = message('2025-11-25', 'tools/call', args);
      const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const init = { method: 'POST', headers: { ...headers, ...authorization }, body: JSON.stringify(body) };
      return jsonResponse(await fetch(address, init));
    };
    const challenge = (await call()).headers.get('www-authenticate') ?? '';
    const { body: resource } = await getJson(/resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '');
    expect(resource['resource']).toBe(address);
    const scope = /scope="([^"]+)"/.exec(challenge)?.[1] ?? '';
    expect(scope).toContain('orders:read');
    const issued = await getCode(schools.browser('olivia'), schools.harbour, client, { scope, resource: address });
    const first = await exchange(issued, { resource: address });
    expect(first).toMatchObject({ status: 200, body: { scope: client.scope } });
    const second = await refresh(schools.harbour, client, first.body['refresh_token'], { resource: address });
    const { status, body } = await call(tokenOf(second));
    expect([status, resultOf(body)['structuredContent']]).toEqual([200, { did: { action: 'publish' } }]);
  });

  test('can leave out resource everywhere: its tokens are for the origin', async () => {
    const client = await create();
    const none = { resource: undefined };
    const issued = await getCode(schools.browser('olivia'), schools.harbour, client, none);
    const tokens = await exchange(issued, none);
    expect((await introspect(schools.harbour, client, tokenOf(tokens))).body['aud']).toBe(schools.harbour);
    expect((await publish(tokenOf(tokens))).status).toBe(200);
  });

  test('that is public has no secret, and asks each time', async () => {
    const redirectUris = ['http://127.0.0.1/callback'];
    const { application, clientSecret } = await schools.campus.applications.create(at(), {
      ...assistant,
      redirectUris,
      confidential: false,
    });
    expect(clientSecret).toBeUndefined();
    const { clientId: id } = application;
    const client: TestClient = { id, redirectUri: 'http://127.0.0.1:40000/callback', scope: 'courses:write' };
    expect((await publish(tokenOf(await connect(schools.browser('olivia'), schools.harbour, client)))).status).toBe(
      403,
    );
    const both = { ...client, scope: 'courses:read courses:write' };
    const olivia = schools.browser('olivia');
    expect((await publish(tokenOf(await connect(olivia, schools.harbour, both)))).status).toBe(200);
    const again = await olivia.follow(authorizeUrl(schools.harbour, both, pkce()));
    expect(decisionsOn(again.html)).toContain('allow');
  });

  test('is named on the consent page as what an administrator added to act for operators', async () => {
    const client = await create();
    const { html } = await schools.browser('olivia').follow(authorizeUrl(schools.harbour, client, pkce()));
    const question = 'Connect School Chat to Harbour School?';
    const page = readPage(html);
    page.getByRole('heading', { name: question, level: 1 });
    expect(page.facts['Added by']).toBe('staff of Harbour School');
    expect(page.facts['Sends you to']).toBe('chat.school.example');
    expect(html).toContain('Create, change and delete courses');
    expect(html).not.toContain('not verified');
  });

  test.each(['sam', 'nora', 'stranger'])('is refused to %s, who is not an operator: access_denied', async (person) => {
    const client = await create();
    const { url } = await schools.browser(person).follow(authorizeUrl(schools.harbour, client, pkce()));
    expect(url.href.split('?', 1)[0]).toBe(client.redirectUri);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ error: 'access_denied', state: 'the-state' });
  });

  test('requests no scope of the Admin API beyond its own', async () => {
    const client = await create();
    const url = authorizeUrl(schools.harbour, client, pkce(), { scope: 'openid orders:read' });
    const { response } = await schools.browser('olivia').follow(url);
    expect(redirectQuery(response, client.redirectUri)).toMatchObject({ error: 'invalid_scope' });
  });

  test('is lost at once by who is no operator any more: code, tokens and a new request', async () => {
    const client = await create();
    const olivia = schools.browser('olivia');
    const tokens = await connect(olivia, schools.harbour, client);
    const issued = await getCode(olivia, schools.harbour, client);
    const { harbour: people = {} } = schools.people;
    const { olivia: owner } = people;
    if (!owner) throw new Error('no Olivia');
    people['olivia'] = { ...owner, roles: ['teacher', 'student'] };
    expectError(await publish(tokenOf(tokens)), 401, 'invalid_token');
    expectError(await manage(tokenOf(tokens)), 401, 'invalid_token');
    expectError(await userinfo(schools.harbour, tokenOf(tokens)), 401, 'invalid_token');
    expect((await introspect(schools.harbour, client, tokenOf(tokens))).body).toEqual({ active: false });
    expectError(await refresh(schools.harbour, client, tokens.body['refresh_token']), 400, 'invalid_grant');
    expectError(await exchange(issued), 400, 'invalid_grant');
    const { url } = await olivia.follow(authorizeUrl(schools.harbour, client, pkce()));
    expect(url.searchParams.get('error')).toBe('access_denied');
  });

  test('can have every scope of the Admin API, and never account:read', async () => {
    const client = await create({ scopes: allScopes.filter((scope) => mayHave('operator', scope)) });
    for (const scope of ['openid account:read', 'account:read', 'openid courses:read account:read']) {
      const { response } = await schools
        .browser('olivia')
        .follow(authorizeUrl(schools.harbour, client, pkce(), { scope }));
      expect(redirectQuery(response, client.redirectUri)).toMatchObject({ error: 'invalid_scope' });
    }
    // The whole catalogue, as the authorization-server metadata lists it, is narrowed to what the client may have.
    const tokens = await connect(schools.browser('olivia'), schools.harbour, client, { scope: allScopes.join(' ') });
    expect(tokens.body['scope']).toBe(client.scope);
    const token = tokenOf(tokens);
    expect(await listedNames(schools.harbour, { token })).not.toContain('inbox');
    expectError(await callTool(schools.harbour, 'inbox', {}, { token }), 403, 'insufficient_scope');
  });

  test('does not exist at another school, and its codes and tokens are worth nothing there', async () => {
    const { people, harbour, summit, campus } = schools;
    const { olivia } = people['harbour'] ?? {};
    if (olivia && people['summit']) people['summit']['olivia'] = olivia;
    const client = await create();
    const olivias = schools.browser('olivia');
    const tokens = await connect(olivias, harbour, client);
    const { response, url } = await olivias.follow(authorizeUrl(summit, client, pkce()));
    expect([response.status, url.origin]).toEqual([400, summit]);
    const issued = await getCode(olivias, harbour, client);
    expectError(await exchange({ ...issued, origin: summit }), 401, 'invalid_client');
    expectError(await refresh(summit, client, tokens.body['refresh_token']), 401, 'invalid_client');
    expectError(await publish(tokenOf(tokens), summit), 401, 'invalid_token');
    expect(await campus.applications.find(at('summit'), client.id)).toBeUndefined();
    for (const attempt of [
      campus.applications.update(at('summit'), client.id, { clientName: 'Mine' }),
      campus.applications.rotateSecret(at('summit'), client.id),
      campus.applications.remove(at('summit'), client.id),
    ]) {
      await expect(attempt).rejects.toMatchObject({ status: 404 });
    }
    expect((await publish(tokenOf(tokens))).status).toBe(200);
  });

  test('is a connection of the operator, who ends it at once', async () => {
    const client = await create();
    const token = tokenOf(await connect(schools.browser('olivia'), schools.harbour, client));
    const { connections } = schools.campus;
    const [connection] = await connections.list(at(), 'olivia');
    expect(connection).toMatchObject({ clientId: client.id, audience: 'operator', source: 'application' });
    expect(await schools.campus.applications.connections(at(), client.id)).toBe(1);
    expect(await connections.revoke(at(), 'olivia', connection?.id ?? '')).toBe(true);
    expectError(await publish(token), 401, 'invalid_token');
  });
});
