import { describe, expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { play, type Transcript } from '../../lib/simulated-clients/play.ts';
import { simulatedClients } from '../../lib/simulated-clients/known-clients.ts';
import { knownApplications } from '../../lib/features/applications/pages/known-apps.ts';
import { setUpApps } from '../../lib/pages/set-up/apps.ts';
import { knownApp } from '../../lib/core/known-apps/known-apps.ts';
import type { Browser } from '../helpers/browser.ts';
import { readPage } from '../helpers/page.ts';
import { allowing } from './people.ts';
import { startPlaying } from './playing.ts';
import { createCourse } from './school-tools.ts';

const { run, schools } = startPlaying();

const console = '/developers/oauth-applications';
const tools = { operator: createCourse, member: { name: 'my_inbox' } } as const;
type Audience = keyof typeof tools;

/** The text of a field, as Copy takes it. */
function fieldOn(html: string, id: string): string {
  const field = readPage(html).getById(id);
  if (!field) throw new Error(`the page has no field ${id}`);
  return field.value;
}

const hrefsOn = (html: string): string[] =>
  readPage(html)
    .getAllByRole('link')
    .map(({ href }) => href);
const hrefOn = (html: string, start: string): URL =>
  new URL(hrefsOn(html).find((href) => href.startsWith(start)) ?? '');

/** What an app has after its user has pasted, clicked or entered what the page says. */
interface Configuration {
  readonly address: string;
  readonly clientId?: string;
  readonly secret?: string;
}

const fromCommand = (text: string): Configuration => {
  const [, id] = /--client-id (\S+)/.exec(text) ?? [];
  return { address: text.trim().split(/\s/).at(-1) ?? '', ...(id !== undefined && { clientId: id }) };
};

/** How each app reads what it is given. */
const readers: Readonly<Record<string, (html: string) => Configuration>> = {
  claude: entered,
  chatgpt: entered,
  'copilot-studio': entered,
  'claude-code': (html) => fromCommand(fieldOn(html, 'claude-code-0')),
  codex: (html) => {
    const [, address = ''] = /^\[mcp_servers\.school\]\nurl = "([^"]+)"$/.exec(fieldOn(html, 'codex-1')) ?? [];
    expect(fieldOn(html, 'codex-0')).toBe(`codex mcp add school --url ${address}\ncodex mcp login school`);
    return { address };
  },
  'vs-code': (html) => {
    const { school } = JSON.parse(fieldOn(html, 'vs-code-0')).servers;
    const link = JSON.parse(decodeURIComponent(hrefOn(html, 'vscode:mcp/install?').search.slice(1)));
    expect(link).toEqual({ name: 'school', ...school });
    expect(school.type).toBe('http');
    return { address: school.url, clientId: school.oauth?.clientId };
  },
  cursor: (html) => {
    const { school } = JSON.parse(fieldOn(html, 'cursor-0')).mcpServers;
    const { host, pathname, searchParams } = hrefOn(html, 'cursor://');
    expect([host, pathname, searchParams.get('name')]).toEqual(['anysphere.cursor-deeplink', '/mcp/install', 'school']);
    expect(JSON.parse(Buffer.from(searchParams.get('config') ?? '', 'base64').toString())).toEqual(school);
    return { address: school.url, clientId: school.auth?.CLIENT_ID };
  },
  'gemini-cli': (html) => {
    const { school } = JSON.parse(fieldOn(html, 'gemini-cli-0')).mcpServers;
    return { address: school.httpUrl, clientId: school.oauth?.clientId };
  },
  opencode: (html) => ({ address: JSON.parse(fieldOn(html, 'opencode-0')).mcp.school.url }),
  zed: (html) => ({ address: JSON.parse(fieldOn(html, 'zed-0')).context_servers.school.url }),
  'mcp-inspector': entered,
};

/** For windows of an app: what stands in the fields of the page. */
function entered(html: string): Configuration {
  const has = (id: string): boolean => readPage(html).getById(id) !== undefined;
  return {
    address: fieldOn(html, 'address'),
    ...(has('client_id') && { clientId: fieldOn(html, 'client_id') }),
    ...(has('client_secret') && { secret: fieldOn(html, 'client_secret') }),
  };
}

const page = async (browser: Browser, path: string): Promise<string> =>
  (await browser.follow(schools().harbour + path)).html;

const ticked = (html: string): string[] => readPage(html).fields.getAll('scope');

/** Creates an application from a preset as it is, and returns the page that shows its secret. */
async function created(id: string, audience: Audience, uris?: string): Promise<string> {
  const browser = schools().browser('olivia');
  const at = `${console}/new?audience=${audience}&app=${id}`;
  const html = await page(browser, at);
  const body = readPage(html).getByRole('form').fields;
  if (uris !== undefined) body.set('redirect_uris', uris);
  return (await browser.follow(schools().harbour + at, { method: 'POST', body })).html;
}

function expectCalled({ reason, results }: Transcript): void {
  expect(reason).toBeUndefined();
  expect(results).toHaveLength(2);
}

const waysOf = (id: string) => simulatedClients.filter(({ product }) => product === id);
const audiences = ['operator', 'member'] as const;
const presets = knownApplications.flatMap(({ id }) => audiences.map((audience) => [id, audience] as const));

test.each(presets)('the preset of %s for an %s has the scopes of the challenge', async (id, audience) => {
  const html = await page(schools().browser('olivia'), `${console}/new?audience=${audience}&app=${id}`);
  const refused = await fetch(`${schools().harbour}/mcp/${audience}`, { method: 'POST' });
  expect(refused.status).toBe(401);
  expect(ticked(html)).toEqual(/scope="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')?.[1]?.split(' '));
});

describe('the page for operators', () => {
  const offered = setUpApps.filter(({ needsClient }) => !needsClient).map(({ id }) => id);

  test.each(offered)('%s connects with what it says', async (id) => {
    const html = await page(schools().browser('olivia'), `/mcp/operator?app=${id}`);
    const given = readers[id]?.(html);
    expect(given).toEqual({ address: `${schools().harbour}/mcp/operator` });
    for (const app of waysOf(id)) expectCalled(await run(app, { address: given?.address ?? '' }));
  });

  test('has a way of every app to be read', () => {
    expect(Object.keys(readers).sort()).toEqual([...offered].sort());
  });
});

describe('the page after an application was created from a preset', () => {
  const pasted = presets.filter(([id]) => id !== 'libre-chat');

  test.each(pasted)('connects %s for an %s', async (id, audience) => {
    const html = await created(id, audience);
    const { address, clientId = '' } = readers[id]?.(html) ?? { address: '' };
    expect(address).toBe(`${schools().harbour}/mcp/${audience}`);
    // Windows have a field for it; a paste that lacks it is not finished.
    expect(clientId).toBe(fieldOn(html, 'client_id'));
    const { secret = '' } = entered(html);
    const known = knownApplications.find((each) => each.id === id)?.redirectUris.map(anyPort) ?? [];
    const ways = waysOf(id).filter(({ redirectUri, document }) => !document && known.includes(anyPort(redirectUri)));
    expect(ways.length).toBeGreaterThan(0);
    for (const app of ways) {
      const client = { id: clientId, secret };
      const approve = allowing(schools().browser(audience === 'operator' ? 'olivia' : 'sam'));
      expectCalled(await play(app, { address, approve, client, tool: tools[audience] }));
    }
  });

  test.each(audiences)('connects LibreChat for an %s, with librechat.yaml alone', async (audience) => {
    const html = await created('libre-chat', audience, 'https://chat.harbour.example/api/mcp/my-school/oauth/callback');
    const yaml = fieldOn(html, 'libre-chat-0');
    expect(yaml).toMatch(/^mcpServers:\n {2}my-school:\n {4}type: streamable-http\n/);
    const value = (name: string): string => JSON.parse(new RegExp(`^ +${name}: (.+)$`, 'm').exec(yaml)?.[1] ?? '""');
    expect(value('token_endpoint_auth_methods_supported')).toEqual(['client_secret_post']);
    const token = await signedIn(value, schools().browser(audience === 'operator' ? 'olivia' : 'sam'));
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    const client = new Client({ name: 'LibreChat', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(value('url')), { requestInit }));
    const called = await client.callTool({ arguments: {}, ...tools[audience] });
    await client.close();
    expect(called.isError).not.toBe(true);
  });

  test('has everything to copy before Done, which is its last link', async () => {
    const html = await created('libre-chat', 'member', 'https://chat.harbour.example/api/mcp/school/oauth/callback');
    const order = ['address', 'client_id', 'client_secret', 'libre-chat-0'].map((id) => html.indexOf(`id="${id}"`));
    expect([...order, html.indexOf('>Done<')]).toEqual([...order, html.indexOf('>Done<')].sort((a, b) => a - b));
    expect(order).not.toContain(-1);
    for (const id of ['address', 'client_id', 'client_secret', 'libre-chat-0'])
      expect(html).toContain(`data-copy="${id}"`);
    const secret = fieldOn(html, 'client_secret');
    const again = await page(schools().browser('olivia'), `${console}/${fieldOn(html, 'client_id')}`);
    expect(again).not.toContain(secret);
    expect(fieldOn(again, 'libre-chat-0')).toBe(fieldOn(html, 'libre-chat-0').replace(secret, 'CLIENT_SECRET'));
  });
});

const anyPort = (uri: string): string => uri.replace(/^(http:\/\/[^/:]+):\d+/, '$1');

/** What LibreChat does with these values: it adds nothing that they do not say. */
async function signedIn(value: (name: string) => string, browser: Browser): Promise<string> {
  const verifier = 'v'.repeat(43);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const url = new URL(value('authorization_url'));
  const own = { client_id: value('client_id'), redirect_uri: value('redirect_uri'), scope: value('scope') };
  const asked = { response_type: 'code', code_challenge_method: 'S256', state: 'member:my-school', ...own };
  for (const [name, text] of Object.entries(asked)) url.searchParams.set(name, text);
  url.searchParams.set('code_challenge', Buffer.from(digest).toString('base64url'));
  const returned = await allowing(browser)(url);
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: new URL(returned).searchParams.get('code') ?? '',
    code_verifier: verifier,
    redirect_uri: own.redirect_uri,
    client_id: own.client_id,
    client_secret: value('client_secret'),
  });
  const response = await fetch(value('token_url'), { method: 'POST', body });
  expect(response.status).toBe(200);
  return String((await response.json())['access_token']);
}

test('the apps of the page are known ones', () => {
  for (const { id } of setUpApps) expect(knownApp(id).name).not.toBe('');
});
