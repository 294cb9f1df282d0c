import { afterEach, describe, expect, test } from '@jest/globals';
import type { AuditEvent } from '../../lib/index.ts';
import { type AuditAction, auditOutcomes } from '../../lib/observe/audit-event.ts';
import { sampled } from '../../lib/observe/events.ts';
import { vendorPlatforms, wellKnownVendors } from '../../policies/index.ts';
import { passTime, resetClock } from '../helpers/clock.ts';
import { exchange, getCode, memberApp, postForm, webMemberApp } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { callTool } from '../mcp/rpc.ts';

let schools: Schools;
const events: AuditEvent[] = [];
afterEach(async () => {
  resetClock();
  await schools.close();
});

async function start(options: Parameters<typeof startSchools>[0] = {}): Promise<void> {
  schools = await startSchools(options);
  events.splice(0);
  schools.campus.events.on('audit', (event) => events.push(event));
}

/** Sends 65 requests, one after the other; returns how many events they are. */
async function flood(send: () => Promise<unknown>): Promise<number> {
  const before = events.length;
  for (let i = 0; i < 65; i += 1) await send();
  return events.length - before;
}

const token = (fields: Record<string, string>) => postForm(`${schools.harbour}/api/oauth/token`, fields);
const code = { grant_type: 'authorization_code', code: 'none', redirect_uri: memberApp.redirectUri };

describe('of the refusals of an endpoint for clients, 60 a minute are reported', () => {
  test.each<[who: string, fields: Record<string, string>]>([
    ['nobody', { grant_type: 'refresh_token' }],
    ['a client that does not exist', { ...code, client_id: 'nobody' }],
    ['a wrong secret', { ...code, client_id: webMemberApp.id, client_secret: 'wrong' }],
    ['the id of a public client, which everybody knows', { ...code, client_id: memberApp.id, code_verifier: 'x' }],
  ])('of %s', async (_who, fields) => {
    await start();
    expect(await flood(() => token(fields))).toBe(60);
    expect(events.at(-1)).toMatchObject({ action: 'token.refused' });
    passTime(60);
    await token(fields);
    expect(events.at(-1)).toMatchObject({ action: 'token.refused', omitted: 5 });
    expect(await flood(() => postForm(`${schools.harbour}/api/oauth/revoke`, { client_id: 'nobody' }))).toBe(60);
    expect(events.at(-1)).toMatchObject({ action: 'revocation.refused' });
  });

  test('and none is left out of a client that has proved who it is', async () => {
    await start();
    const secret = { client_id: webMemberApp.id, client_secret: webMemberApp.secret ?? '' };
    expect(await flood(() => token({ ...code, ...secret }))).toBe(65);
  });

  test('and none of a person whose token was sent, however many are of strangers', async () => {
    await start();
    const given = await getCode(schools.browser('sam'), schools.harbour, memberApp);
    await flood(() => token({ ...code, client_id: memberApp.id, code_verifier: 'x' }));
    await exchange(given, { code_verifier: 'x'.repeat(43) });
    expect(events.at(-1)).toMatchObject({ action: 'token.refused', reason: 'invalid_grant', memberId: 'sam' });
    expect(events.at(-1)).not.toHaveProperty('omitted');
  });
});

test('of calls of tools without a token, 60 a minute are reported', async () => {
  const works = { name: 'works', description: 'A tool.', access: 'public', run: () => 'done' } as const;
  await start({ mcp: { tools: [works] } });
  expect(await flood(() => callTool(schools.harbour, 'works', {}))).toBe(60);
});

test('of registrations that get a known client, 60 a minute are reported', async () => {
  await start({ campus: { registration: [vendorPlatforms(wellKnownVendors)] } });
  const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const body = JSON.stringify({ client_name: 'Claude', redirect_uris: ['https://claude.ai/api/mcp/auth_callback'] });
  expect(await flood(() => fetch(`${schools.harbour}/api/oauth/register`, { ...init, body }))).toBe(60);
  expect(events.at(-1)).toMatchObject({ action: 'registration.admitted' });
});

/** What it takes to cause each event that is not sampled. */
const takes = {
  person: 'a person who is signed in, whom the pages and the platform limit',
  token: 'a code or token that was issued, and a change that it makes once',
  proof: 'a secret, key or token; what comes from a stranger is sampled',
  school: 'an administrator, or the platform',
  change: 'another version of a document, once for each',
} as const;

const others: Readonly<Partial<Record<AuditAction, keyof typeof takes>>> = {
  'authorization.granted': 'person',
  'consent.given': 'person',
  'consent.narrowed': 'person',
  'consent.denied': 'person',
  'token.issued': 'token',
  'token.refreshed': 'token',
  'token.replayed': 'token',
  'token.lost_race': 'token',
  'token.revoked': 'token',
  'token.refused': 'proof',
  'revocation.refused': 'proof',
  'introspection.refused': 'proof',
  'tool.called': 'proof',
  'application.created': 'school',
  'application.changed': 'school',
  'application.secret_rotated': 'school',
  'application.removed': 'school',
  'connection.ended': 'person',
  'connection.narrowed': 'person',
  'connection.widened': 'person',
  'connection.limited': 'person',
  'app.decided': 'school',
  'document.seen': 'person',
  'document.changed': 'change',
  'document.withdrawn': 'change',
  'request.made': 'person',
  'request.withdrawn': 'person',
  'request.granted': 'school',
  'request.declined': 'school',
  'session.ended': 'person',
  'logout.delivered': 'person',
  'logout.undelivered': 'person',
  'member.erased': 'school',
  'school.removed': 'school',
};

test('what anyone can cause again and again is sampled', () => {
  expect([...sampled, ...Object.keys(others)].toSorted()).toEqual(Object.keys(auditOutcomes).toSorted());
});
