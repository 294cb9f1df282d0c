import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import { connect, jsonResponse, memberApp } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

describe('without the plug-ins memberApi and mcp', () => {
  let schools: Schools;
  beforeAll(async () => {
    schools = await startSchools({
      app: (campus) => new Koa().use(campus.middleware()).use((ctx) => void (ctx.body = 'the host app')),
    });
  });
  afterAll(() => schools.close());

  const get = (path: string) => fetch(`${schools.harbour}${path}`);

  test.each([
    '/mcp',
    '/member/graphql',
    '/member/graphql/schema.graphql',
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/oauth-protected-resource/member/graphql',
  ])('%s falls through to the host app', async (path) => {
    expect(await (await get(path)).text()).toBe('the host app');
  });

  test.each(['/openapi.json', '/auth.md'])('%s does not mention them', async (path) => {
    const text = await (await get(path)).text();
    expect(text).toContain('/api/oauth/token');
    expect(text).not.toMatch(/\/mcp|graphql|tools\/list/i);
  });

  test('tokens are issued and UserInfo responds', async () => {
    const { body } = await connect(schools.browser('sam'), schools.harbour, memberApp);
    const headers = { authorization: `Bearer ${String(body['access_token'])}` };
    const userinfo = await jsonResponse(await fetch(`${schools.harbour}/api/oauth/userinfo`, { headers }));
    expect(userinfo).toMatchObject({ status: 200, body: { sub: 'sam' } });
  });
});

test.each([
  ['memberApi', { memberApi: { data: {} } }, 'memberApi must be what memberApi() of campus-oidc/member-api returns'],
  ['mcp', { mcp: { tools: [] } }, 'mcp must be what mcp() of campus-oidc/mcp returns'],
])('options of %s without the plug-in around them are refused', async (_name, campus, message) => {
  await expect(Reflect.apply(startSchools, undefined, [{ campus }])).rejects.toThrow(new TypeError(message));
});
