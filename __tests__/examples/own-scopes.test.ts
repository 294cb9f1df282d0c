import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Browser } from '../helpers/browser.ts';
import { authorize, authorizeUrl, exchange, jsonResponse, pkce, type TestClient } from '../helpers/flow.ts';
import { freePort } from '../helpers/free-port.ts';
import { readPage } from '../helpers/page.ts';
import { post } from '../member-api/graphql.ts';
import { callTool } from '../mcp/rpc.ts';

let server: ChildProcess;
let origin: string;
beforeAll(async () => {
  const port = await freePort();
  origin = `http://localhost:${port}`;
  const cwd = new URL('../..', import.meta.url);
  const env = { ...process.env, PORT: String(port) };
  server = spawn(process.execPath, ['examples/own-scopes/server.ts'], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (server.stdout) await once(createInterface({ input: server.stdout }), 'line');
});
afterAll(async () => {
  if (server.exitCode !== null) return;
  server.kill('SIGTERM');
  await once(server, 'exit');
});

async function registered(): Promise<TestClient> {
  const redirectUri = 'http://127.0.0.1:49152/callback';
  const response = await fetch(`${origin}/api/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Practice Diary', redirect_uris: [redirectUri] }),
  });
  const { body } = await jsonResponse(response);
  expect(String(body['scope'])).toMatch(/ instruments:read lessons:write$/);
  return { id: String(body['client_id']), redirectUri, scope: 'openid instruments:read lessons:write' };
}

test('the music school, from registration to its tool, its field and its own API', async () => {
  const client = await registered();
  const browser = new Browser();
  const page = async (language: string): Promise<string> =>
    (await browser.follow(authorizeUrl(origin, client, pkce(), { ui_locales: language }))).html;
  const english = await page('en');
  for (const name of ['Book and cancel lessons', 'View your instruments']) {
    readPage(english).getByRole('checkbox', { name });
  }
  const chinese = await page('zh-TW');
  for (const name of ['預約與取消個別課', '查看您的樂器']) readPage(chinese).getByRole('checkbox', { name });
  expect(chinese).not.toMatch(/lessons<|instruments</);

  const tokenFor = async (scope: string): Promise<string> => {
    const pair = pkce();
    const { url } = await authorize(browser, authorizeUrl(origin, client, pair, { scope }));
    const code = url.searchParams.get('code') ?? '';
    const { body } = await exchange({ origin, client, code, verifier: pair.verifier });
    expect(body['scope']).toBe(scope);
    return String(body['access_token']);
  };
  const token = await tokenFor(client.scope);
  const query = { query: '{ viewer { name instruments { name } } }' };
  expect((await post(origin, token, query)).body).toEqual({
    data: { viewer: { name: 'Clara Wieck', instruments: [{ name: 'Cello no. 12' }] } },
  });
  const lesson = { instrument: 'Cello', startsAt: '2031-03-10T09:00:00Z' };
  expect(await callTool(origin, 'book_lesson', lesson, { token })).toMatchObject({
    status: 200,
    body: { result: { structuredContent: { booked: lesson } } },
  });
  const own = (bearer: string) => fetch(`${origin}/lessons`, { headers: { authorization: `Bearer ${bearer}` } });
  expect(await (await own(token)).json()).toEqual({ lessons: [lesson] });

  const reading = await tokenFor('openid instruments:read');
  expect((await callTool(origin, 'book_lesson', lesson, { token: reading })).status).toBe(403);
  expect((await own(reading)).status).toBe(403);
});

test('the music school publishes its scopes, and not those that it leaves out', async () => {
  const { body } = await jsonResponse(await fetch(`${origin}/.well-known/oauth-authorization-server`));
  expect(body['scopes_supported']).toEqual(expect.arrayContaining(['instruments:read', 'lessons:write']));
  expect(body['scopes_supported']).not.toContain('orders:read');
  const guide = await (await fetch(`${origin}/auth.md`)).text();
  for (const text of ['View pupils and what they play', 'Book and cancel lessons', '`book_lesson`']) {
    expect(guide).toContain(text);
  }
});
