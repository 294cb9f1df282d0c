import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { AuditEvent, Site } from '../../lib/index.ts';
import type { Tool } from '../../lib/mcp/index.ts';
import { InvalidRequest } from '../../lib/kernel/errors.ts';
import { memberApp } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';
import { accessToken, callTool, listedTools, type Revision, type RpcOptions } from '../mcp/rpc.ts';

const description = 'A tool.';
const tools: readonly Tool<unknown>[] = [
  { name: 'works', description, access: 'public', run: () => 'done' },
  { name: 'writes', description, access: { scopes: ['account:write'] }, run: () => 'done' },
  { name: 'says-no', description, access: 'public', run: () => ({ content: [], isError: true }) },
  {
    name: 'refuses',
    description,
    access: 'public',
    run: () => {
      throw new InvalidRequest('there is no such course');
    },
  },
  {
    name: 'throws',
    description,
    access: 'public',
    run: () => {
      throw new Error('the database is gone');
    },
  },
  { name: 'hangs', description, access: 'public', run: () => new Promise(() => {}) },
  {
    name: 'strict',
    description,
    access: 'public',
    inputSchema: { type: 'object', properties: { day: { type: 'number' } } },
    run: () => 'done',
  },
];

let schools: Schools;
let token: string;
let narrow: string;
const events: AuditEvent[] = [];
beforeAll(async () => {
  schools = await startSchools({ mcp: { tools, toolTimeout: 0.05 } });
  token = await accessToken(schools, 'sam', memberApp);
  narrow = await accessToken(schools, 'sam', memberApp, 'openid');
  schools.campus.events.on('audit', (event) => events.push(event));
});
afterAll(() => schools.close());
beforeEach(() => {
  events.splice(0);
});

const siteOf = ({ harbour }: Schools): Site => {
  return harbourSite(harbour);
};

/** The ways that lead to a tool: without a server of the SDK, and with one. */
const ways: readonly [string, RpcOptions][] = [
  ['a plain request', {}],
  ['a request that the SDK serves', { headers: { 'mcp-session-id': 'none' } }],
  ['revision 2026-07-28', { revision: '2026-07-28' satisfies Revision }],
];

const outcomes = [
  ['works', 'succeeded'],
  ['says-no', 'failed'],
  ['refuses', 'failed'],
  ['throws', 'fault'],
  ['hangs', 'timed_out'],
  ['strict', 'invalid_arguments'],
] as const;

for (const [way, options] of ways) {
  test.each(outcomes)(`${way}: of %s there is one event, with the outcome %s`, async (name, outcome) => {
    await callTool(schools.harbour, name, { day: 'Sunday' }, options);
    expect(events).toMatchObject([
      { action: 'tool.called', outcome: 'allowed', actor: { kind: 'anonymous' }, tool: { name, outcome } },
    ]);
    expect(JSON.stringify(events)).not.toContain('Sunday');
  });

  test(`${way}: an event names the client, the person, the connection and the device`, async () => {
    const [connection] = await schools.campus.connections.list(siteOf(schools), 'sam');
    await callTool(schools.harbour, 'writes', {}, { ...options, token });
    await callTool(schools.harbour, 'writes', {}, { ...options, token: narrow });
    const parties = {
      actor: { kind: 'client', id: 'member-app' },
      clientId: 'member-app',
      memberId: 'sam',
      connectionId: connection?.id,
      familyId: expect.stringMatching(/^[\w-]{11}$/),
    };
    expect(events).toMatchObject([
      { ...parties, outcome: 'allowed', tool: { name: 'writes', outcome: 'succeeded' } },
      { ...parties, outcome: 'refused', reason: 'insufficient_scope', tool: { name: 'writes', outcome: 'refused' } },
    ]);
    expect(events[0]?.familyId).not.toBe(events[1]?.familyId);
  });

  test(`${way}: a list, a tool that is not there and a missing token are no calls`, async () => {
    await listedTools(schools.harbour, options);
    await callTool(schools.harbour, 'nonsense', {}, options);
    await callTool(schools.harbour, 'writes', {}, options);
    expect(events).toMatchObject([{ action: 'message.refused', reason: '-32602' }]);
  });
}

test('a call above the limit is no call: the limit is reached, by which connection and device', async () => {
  const limited = await startSchools({
    mcp: { tools },
    campus: { limits: { tokenCalls: { perMember: 1 } } },
  });
  const limitedToken = await accessToken(limited, 'sam', memberApp);
  const [connection] = await limited.campus.connections.list(siteOf(limited), 'sam');
  limited.campus.events.on('audit', (event) => events.push(event));
  for (let i = 0; i < 2; i += 1) await callTool(limited.harbour, 'writes', {}, { token: limitedToken });
  await limited.close();
  expect(events).toMatchObject([
    { action: 'tool.called', clientId: 'member-app' },
    { action: 'quota.exceeded', reason: 'tokenCalls', clientId: 'member-app', memberId: 'sam' },
  ]);
  for (const { connectionId, familyId } of events) {
    expect([connectionId, familyId]).toEqual([connection?.id, events[0]?.familyId]);
  }
});
