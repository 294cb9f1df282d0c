import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { callTool, rpc } from './rpc.ts';
import { accessTools } from './tools.ts';

const inspector = 'http://localhost:6274';
let schools: Schools;
beforeAll(async () => {
  schools = await startSchools({ mcp: { tools: accessTools, origins: [inspector] } });
});
afterAll(() => schools.close());

test.each([
  'https://evil.example',
  'null',
  'http://localhost',
  'http://localhost:6275',
  'http://localhost:6274.evil.example',
  'HTTP://LOCALHOST:6274',
  'nonsense',
])('a script of %s is refused, with any token or none', async (origin) => {
  for (const token of [undefined, 'nonsense']) {
    const response = await callTool(schools.harbour, 'open', {}, { headers: { origin }, ...(token && { token }) });
    expect([response.status, response.body['error']]).toEqual([403, 'access_denied']);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  }
  const preflight = await fetch(`${schools.harbour}/mcp`, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST' },
  });
  expect([preflight.status, preflight.headers.get('vary')]).toEqual([403, 'Origin']);
});

test('the site’s own scripts and those of the list may call, and read challenges', async () => {
  for (const origin of [schools.harbour, inspector]) {
    const response = await callTool(schools.harbour, 'inbox', {}, { headers: { origin } });
    expect(response.status).toBe(401);
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
    expect(response.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
    expect(response.headers.get('vary')).toContain('Origin');
    const preflight = await fetch(`${schools.harbour}/mcp`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'mcp-method' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([204, 'mcp-method']);
    expect(preflight.headers.get('access-control-allow-methods')).toBe('POST');
  }
});

test('the other school’s scripts may not', async () => {
  const response = await rpc(schools.harbour, 'tools/list', {}, { headers: { origin: schools.summit } });
  expect(response.status).toBe(403);
});

test('an app that sends no Origin may', async () => {
  const { status, headers } = await fetch(`${schools.harbour}/mcp`, { method: 'OPTIONS' });
  expect([status, headers.get('allow'), headers.get('access-control-allow-methods')]).toEqual([
    204,
    'POST, OPTIONS',
    null,
  ]);
  expect((await callTool(schools.harbour, 'open')).status).toBe(200);
});

test('while the platform cannot say which site this is, scripts that may call read that, and others are refused', async () => {
  const down = await startSchools({
    mcp: { tools: accessTools, origins: [inspector] },
    platform: { findSite: () => Promise.reject(new Error('the database is away')) },
  });
  try {
    const statuses = [];
    for (const origin of [inspector, down.harbour, 'https://evil.example']) {
      const { status, headers } = await callTool(down.harbour, 'open', {}, { headers: { origin } });
      statuses.push([status, headers.get('access-control-allow-origin')]);
    }
    expect(statuses).toEqual([
      [503, inspector],
      [503, down.harbour],
      [403, null],
    ]);
    const preflight = await fetch(`${down.harbour}/mcp`, {
      method: 'OPTIONS',
      headers: { origin: inspector, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-a' },
    });
    expect(preflight.status).toBe(503);
    expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([
      'access-control-allow-origin',
    ]);
  } finally {
    await down.close();
  }
});
