import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { InvalidApplication } from '../../lib/index.ts';
import { getJson } from '../conformance/probes.ts';
import { csrfOf } from '../helpers/browser.ts';
import { authorizeUrl, connect, exchange, getCode, type JsonResponse, jsonResponse, pkce } from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { allScopes } from '../helpers/scopes.ts';
import { harbourSite } from '../helpers/sites.ts';
import { post, tokenOf } from '../member-api/graphql.ts';
import { callTool, listedNames } from '../mcp/rpc.ts';
import { kilnApp, shelfApp, studio, studioScopes } from './studio.ts';

let schools: Schools;
beforeAll(async () => {
  schools = await startSchools(studio);
});
afterAll(() => schools.close());

const own = studioScopes.map(({ scope }) => scope);
const get = async (path: string): Promise<JsonResponse['body']> => (await getJson(`${schools.harbour}${path}`)).body;
const kilnToken = (scope?: string) =>
  tokenOf(schools, schools.harbour, { person: 'olivia', client: kilnApp, ...(scope && { scope }) });
const shelfToken = (scope?: string) =>
  tokenOf(schools, schools.harbour, { person: 'sam', client: shelfApp, ...(scope && { scope }) });

describe('the documents', () => {
  test('list the scopes of the host after those of the specification', async () => {
    const { scopes_supported } = await get('/.well-known/oauth-authorization-server');
    expect(scopes_supported).toEqual([...allScopes, ...own]);
    expect(schools.campus.scopes.map(({ scope }) => scope)).toEqual([...allScopes, ...own]);
  });

  test('list for each resource the scopes that its tools and fields take', async () => {
    const identity = ['openid', 'profile', 'email'];
    const listed = async (path: string) =>
      (await get(`/.well-known/oauth-protected-resource${path}`))['scopes_supported'];
    expect(await listed('/mcp/operator')).toEqual([...identity, 'kilns:read', 'kilns:write']);
    expect(await listed('/mcp/member')).toEqual([...identity, 'shelf:read']);
    expect(await listed('/member/graphql')).toEqual([...identity, 'shelf:read']);
  });

  test('describe them with their text', async () => {
    const { components } = await get('/openapi.json');
    const flows = { authorizationCode: { scopes: { 'kilns:write': 'Fire and cool kilns' } } };
    expect(components).toMatchObject({ securitySchemes: { oauth: { flows } } });
    const guide = await (await fetch(`${schools.harbour}/auth.md`)).text();
    expect(guide).toContain("| `kilns:read` | View the studio's 12'' kilns \\| and ovens | operator clients |");
    expect(guide).toContain('| `shelf:read` | View what is on your shelf | member clients |');
    expect(guide).toContain('| `glazes:write` | Mix glazes | any client |');
    expect(guide).toMatch(/can never get\s`account:read`, `shelf:read`\./);
    expect(guide).toContain('`kilns:read`; do `fire`: also `kilns:write`');
  });
});

describe('at the authorization endpoint', () => {
  const refusal = async (scope: string): Promise<string | null> => {
    const stop = await schools.browser('olivia').follow(authorizeUrl(schools.harbour, kilnApp, pkce(), { scope }));
    return stop.url.searchParams.get('error_description');
  };

  test('a scope of the other audience is refused with the reason, and so is one that nobody has declared', async () => {
    expect(await refusal('openid shelf:read')).toContain('only clients that the school makes for its members');
    expect(await refusal('openid kilns:eat')).toContain('unknown scope: kilns:eat');
  });

  test('the whole list is narrowed to what the client may have', async () => {
    const scope = [...allScopes, ...own].join(' ');
    const { body } = await connect(schools.browser('olivia'), schools.harbour, kilnApp, { scope });
    expect(body['scope']).toBe(kilnApp.scope);
  });
});

describe('the consent page', () => {
  const page = async (client: typeof kilnApp, person: string, language: string): Promise<string> => {
    const changes = { ui_locales: language, prompt: 'consent' };
    return (await schools.browser(person).follow(authorizeUrl(schools.harbour, client, pkce(), changes))).html;
  };

  test('lists what it sees and what it changes, each by area', async () => {
    const html = await page(kilnApp, 'olivia', 'en');
    const sees = ['What can it see?', 'View courses', 'View the studio&#39;s 12&#39;&#39; kilns | and ovens'];
    const changes = ['What can it change?', 'Fire and cool kilns', 'Mix glazes'];
    let from = 0;
    for (const text of [...sees, ...changes]) {
      const next = html.indexOf(text, from);
      expect([text, next > from]).toEqual([text, true]);
      from = next;
    }
    expect(await page(shelfApp, 'sam', 'en')).toContain('View what is on your shelf');
  });

  test('shows the text of the host in another language, unless there is a translation', async () => {
    const html = await page(kilnApp, 'olivia', 'zh-TW');
    expect(html).toContain('lang="zh-Hant"');
    for (const text of ['查看課程', 'Fire and cool kilns']) expect(html).toContain(text);
    const texts = { 'zh-Hant': { 'scope.kilns:write': '燒窯', 'area.Kilns': '窯' } } as const;
    const translated = await startSchools({ ...studio, campus: { ...studio.campus, pages: { texts } } });
    try {
      const url = authorizeUrl(translated.harbour, kilnApp, pkce(), { ui_locales: 'zh-TW' });
      const { html: chinese } = await translated.browser('olivia').follow(url);
      for (const text of ['燒窯', 'Mix glazes']) expect(chinese).toContain(text);
      expect(chinese).not.toContain('Fire and cool kilns');
    } finally {
      await translated.close();
    }
  });
});

describe('OAuth applications', () => {
  const path = '/developers/oauth-applications/new';

  test.each([
    ['operator', ['kilns:read', 'kilns:write', 'glazes:write'], ['shelf:read']],
    ['member', ['shelf:read', 'glazes:write'], ['kilns:read', 'kilns:write']],
  ])('the form for %ss offers those of its audience', async (audience, offered, others) => {
    const { html } = await schools.browser('olivia').follow(`${schools.harbour}${path}?audience=${audience}`);
    const scopes = readPage(html)
      .getAllByRole('checkbox')
      .map(({ value }) => value);
    expect(scopes).toEqual(expect.arrayContaining(offered));
    expect(scopes.filter((scope) => others.includes(scope))).toEqual([]);
  });

  test('can have them, and no other', async () => {
    const site = harbourSite(schools.harbour);
    const create = (scopes: readonly string[]) =>
      schools.campus.applications.create(site, {
        clientName: 'Shelf',
        redirectUris: ['https://shelf.example/callback'],
        scopes,
        confidential: false,
      });
    const { application } = await create(['openid', 'shelf:read']);
    expect((await schools.campus.applications.find(site, application.clientId))?.scopes).toEqual([
      'openid',
      'shelf:read',
    ]);
    await expect(create(['kilns:write'])).rejects.toThrow(InvalidApplication);
    await expect(create(['kilns:write'])).rejects.toThrow('scopes "kilns:write" is reserved for operator clients');
    await expect(create(['kilns:eat'])).rejects.toThrow('scopes "kilns:eat" is unknown');
    const client = {
      id: application.clientId,
      redirectUri: 'https://shelf.example/callback',
      scope: 'openid shelf:read',
    };
    const { body } = await connect(schools.browser('sam'), schools.harbour, client);
    expect(body['scope']).toBe('openid shelf:read');
    const connections = await schools.campus.connections.list(site, 'sam');
    expect(connections.find(({ clientId }) => clientId === client.id)?.scopes).toEqual(['openid', 'shelf:read']);
  });
});

test('a registered client may have those of operator clients', async () => {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Kiln CLI', redirect_uris: ['http://127.0.0.1/cb'] }),
  };
  const { body } = await jsonResponse(await fetch(`${schools.harbour}/api/oauth/register`, init));
  const scopes = String(body['scope']).split(' ');
  expect(scopes.slice(-3)).toEqual(['kilns:read', 'kilns:write', 'glazes:write']);
  const client = { id: String(body['client_id']), redirectUri: 'http://127.0.0.1/cb', scope: 'openid kilns:write' };
  expect((await connect(schools.browser('olivia'), schools.harbour, client)).body['scope']).toBe('openid kilns:write');
});

describe('a token', () => {
  test('calls the tools for which it has the scopes', async () => {
    const call = async (token: string, args: object) => {
      const { status, headers } = await callTool(schools.harbour, 'fire_kiln', { ...args }, { token });
      return [status, /scope="([^"]*)"/.exec(headers.get('www-authenticate') ?? '')?.[1]];
    };
    const reading = await kilnToken('openid kilns:read');
    expect(await call(reading, { do: 'look' })).toEqual([200, undefined]);
    expect(await call(reading, { do: 'fire' })).toEqual([403, 'openid kilns:read kilns:write']);
    expect(await call(await kilnToken(), { do: 'fire' })).toEqual([200, undefined]);
    expect(await listedNames(schools.harbour, { token: reading })).toEqual(['fire_kiln']);
    expect(await listedNames(schools.harbour, { token: await shelfToken() })).toEqual(['my_shelf']);
  });

  test('reads the fields for which it has the scopes', async () => {
    const query = { query: '{ viewer { id shelf } }' };
    const { body } = await post(schools.harbour, await shelfToken(), query);
    expect(body).toEqual({ data: { viewer: { id: 'sam', shelf: ['a bowl'] } } });
    expect((await post(schools.harbour, await shelfToken('openid'), query)).status).toBe(403);
  });

  test('passes requireAccess with the scope, and not without', async () => {
    const status = async (token: string): Promise<number> =>
      (await fetch(`${schools.harbour}/kiln`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await status(await kilnToken())).toBe(200);
    expect(await status(await kilnToken('openid kilns:read'))).toBe(403);
    expect(() => schools.campus.requireAccess({ scopes: ['kilns:eat'] })).toThrow(
      new TypeError('requireAccess.scopes[0] must be a scope of the catalogue, not "kilns:eat"'),
    );
  });
});

test('a person can untick one', async () => {
  const browser = schools.browser('sam');
  const pair = pkce();
  const page = await browser.follow(authorizeUrl(schools.harbour, shelfApp, pair, { prompt: 'consent' }));
  const csrf = csrfOf(page.html);
  const body = new URLSearchParams({ csrf, decision: 'allow', choice: 'shown', scope: 'shelf:read' });
  const { url } = await browser.follow(page.url, { method: 'POST', body });
  const code = url.searchParams.get('code') ?? '';
  const tokens = await exchange({ origin: schools.harbour, client: shelfApp, code, verifier: pair.verifier });
  expect(tokens.body['scope']).toBe('openid profile email shelf:read');
  await expect(getCode(browser, schools.harbour, shelfApp, { scope: 'openid shelf:read' })).resolves.toBeDefined();
});
