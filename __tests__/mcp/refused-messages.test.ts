import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { AuditEvent } from '../../lib/index.ts';
import { memberApp } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { accessToken, message, post, revisions, rpc } from './rpc.ts';

const echo = {
  name: 'echo',
  description: 'A tool.',
  access: 'public',
  run: () => ({ structuredContent: { error: { code: 7 } } }),
} as const;

let schools: Schools;
let token: string;
let events: AuditEvent[] = [];
beforeAll(async () => {
  schools = await startSchools({ mcp: { tools: [echo] } });
  schools.campus.events.on('audit', (event) => event.action === 'message.refused' && events.push(event));
  token = await accessToken(schools, 'sam', memberApp, 'openid');
});
beforeEach(() => void (events = []));
afterAll(() => schools.close());

const reasons = (): unknown[] => events.map(({ reason }) => reason);

test.each(revisions)('an error of the server of %s is an event of the client, with its code', async (revision) => {
  await rpc(schools.harbour, 'prompts/list', {}, { revision, token });
  expect(events).toEqual([
    expect.objectContaining({ reason: '-32601', clientId: memberApp.id, memberId: 'sam', siteId: 'harbour' }),
  ]);
  await rpc(schools.harbour, 'tools/call', { name: 'no_such_tool' }, { revision, token });
  expect(reasons()).toEqual(['-32601', '-32602']);
});

test.each<[string, unknown, string]>([
  ['no JSON', '{', '-32700'],
  ['a batch', [{ jsonrpc: '2.0', id: 1, method: 'ping' }], '-32600'],
  ['no message', { hello: 1 }, '-32600'],
  ['a revision without its headers', message('2026-07-28', 'ping').body, '-32020'],
])('%s is an event of a stranger', async (_what, body, code) => {
  const { body: answer } = await post(schools.harbour, body);
  expect(answer).toMatchObject({ error: { code: Number(code) } });
  expect(events).toEqual([expect.objectContaining({ reason: code, actor: { kind: 'anonymous' } })]);
});

test('another media type is one', async () => {
  await post(schools.harbour, '{}', { 'content-type': 'text/plain' });
  expect(reasons()).toEqual(['-32000']);
});

test.each(revisions)('what succeeds in %s is none, whatever the tool returns', async (revision) => {
  const { body } = await rpc(schools.harbour, 'tools/call', { name: 'echo', arguments: {} }, { revision, token });
  expect(body).toHaveProperty('result');
  expect(reasons()).toEqual([]);
});

test('of those without a token 60 a minute are reported', async () => {
  for (let i = 0; i < 70; i += 1) await post(schools.harbour, '{');
  expect(events.length).toBeLessThanOrEqual(60);
});
