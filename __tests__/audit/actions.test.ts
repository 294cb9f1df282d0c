import { inspect } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { AuditAction, AuditEvent } from '../../lib/index.ts';
import { auditOutcomes } from '../../lib/observe/audit-event.ts';
import { memberDigest } from '../../lib/observe/member-digest.ts';
import { clientId as document } from '../features/metadata-documents/document-schools.ts';
import { type WholeRun, wholeRun } from './whole-run.ts';

let run: WholeRun;
beforeAll(async () => {
  run = await wholeRun();
});

const id: unknown = expect.stringMatching(/^[\w-]{22}$/);
const family: unknown = expect.stringMatching(/^[\w-]{11}$/);
const sam = { kind: 'member', id: 'sam' };
const olivia = { kind: 'administrator', id: 'olivia' };
const administrator = { kind: 'administrator' };
const anonymous = { kind: 'anonymous' };
const ofMemberApp = { clientId: 'member-app', memberId: 'sam', connectionId: id };
const byMemberApp = { actor: { kind: 'client', id: 'member-app' }, ...ofMemberApp, familyId: family };
const ofToldApp = {
  actor: { kind: 'client', id: 'told-app' },
  clientId: 'told-app',
  memberId: 'sam',
  connectionId: id,
};
const openidTo = (...more: string[]): string[] => ['openid', ...more];
const application = { actor: olivia, clientId: expect.stringMatching(/^app-/) };

/** Of each action, its first event: all members but those that every event has. */
const rows: Readonly<Record<AuditAction, object>> = {
  'authorization.granted': { actor: sam, ...ofMemberApp, familyId: family },
  'authorization.refused': {
    actor: { kind: 'member', id: 'olivia' },
    reason: 'invalid_client_metadata',
    memberId: 'olivia',
    claimed: { clientId: document, redirectUris: ['http://localhost:49300/callback'] },
  },
  'consent.given': {
    actor: sam,
    ...ofMemberApp,
    scopes: { before: [], after: openidTo('profile', 'email', 'account:read', 'account:write') },
    first: true,
  },
  'consent.narrowed': {
    actor: sam,
    clientId: 'web-member-app',
    memberId: 'sam',
    connectionId: id,
    scopes: { before: [], after: openidTo('profile', 'email') },
    first: true,
  },
  'consent.denied': { actor: sam, reason: 'declined', clientId: 'web-member-app', memberId: 'sam' },
  'token.issued': byMemberApp,
  'token.refreshed': byMemberApp,
  'token.replayed': byMemberApp,
  'token.refused': { ...byMemberApp, reason: 'invalid_grant' },
  'token.reused': byMemberApp,
  'token.lost_race': byMemberApp,
  'token.revoked': { ...byMemberApp, reason: 'reused' },
  'token.rejected': { actor: anonymous, reason: 'unknown' },
  'introspection.refused': { actor: anonymous, reason: 'invalid_client', clientId: 'reports' },
  'revocation.refused': { actor: anonymous, reason: 'invalid_client', clientId: 'reports' },
  'application.created': { ...application, scopes: { before: [], after: openidTo('account:read') } },
  'application.changed': {
    ...application,
    scopes: { before: openidTo('account:read'), after: ['openid'] },
  },
  'application.secret_rotated': application,
  'application.removed': { ...application, clientName: expect.any(String) },
  'connection.ended': {
    ...application,
    clientName: 'Timer',
    reason: 'application_changed',
    connections: 1,
    memberIds: ['sam'],
  },
  'connection.narrowed': {
    actor: sam,
    ...ofMemberApp,
    scopes: {
      before: openidTo('profile', 'email', 'account:read', 'account:write'),
      after: openidTo('profile', 'email', 'account:write'),
    },
  },
  'connection.widened': {
    actor: sam,
    ...ofMemberApp,
    scopes: {
      before: openidTo('profile', 'email', 'account:write'),
      after: openidTo('profile', 'email', 'account:write', 'account:read'),
    },
  },
  'connection.limited': {
    actor: { kind: 'member', id: 'olivia' },
    clientId: 'reports',
    memberId: 'olivia',
    connectionId: id,
    only: { shop: ['s1'] },
  },
  'app.decided': {
    actor: administrator,
    outcome: 'refused',
    reason: 'set',
    clientId: 'web-member-app',
    rule: { access: 'blocked' },
  },
  'document.seen': { actor: { kind: 'operator', id: 'olivia' }, clientId: document, memberId: 'olivia', first: true },
  'document.changed': { actor: anonymous, clientId: document, first: true },
  'document.unreachable': { actor: anonymous, outcome: 'allowed', reason: 'stale', clientId: document },
  'document.withdrawn': { actor: anonymous, reason: 'invalid_client_metadata', clientId: document },
  'request.made': { actor: sam, memberId: 'sam', app: 'libre-chat', first: true },
  'request.withdrawn': { actor: sam, memberId: 'sam', app: 'libre-chat' },
  'request.granted': { ...application, memberId: 'sam', app: 'libre-chat' },
  'request.declined': { actor: olivia, memberId: 'sam', app: 'libre-chat' },
  'registration.admitted': {
    actor: anonymous,
    reason: 'loopbackClients',
    clientId: expect.stringMatching(/^reg-/),
  },
  'registration.refused': {
    actor: anonymous,
    reason: 'invalid_redirect_uri',
    claimed: { redirectUris: ['https://evil.example/'] },
  },
  'quota.exceeded': { actor: anonymous, reason: 'registrations' },
  'tool.called': {
    actor: { kind: 'client', id: 'member-app' },
    ...ofMemberApp,
    familyId: family,
    tool: { name: 'rename', outcome: 'succeeded' },
  },
  'message.refused': {
    actor: { kind: 'client', id: 'member-app' },
    ...ofMemberApp,
    familyId: family,
    reason: '-32601',
  },
  'session.ended': { actor: sam, memberId: 'sam' },
  'logout.refused': {
    actor: sam,
    memberId: 'sam',
    reason: 'unknown_client',
    claimed: { clientId: 'nobody' },
  },
  'logout.delivered': ofToldApp,
  'logout.undelivered': { ...ofToldApp, reason: 'status_500' },
  'member.erased': { actor: administrator, memberDigest: memberDigest('harbour', 'nora') },
  'school.removed': { actor: administrator, connections: expect.any(Number) },
};

/** Everything is caused by the host's own requests, so these say nothing of them. */
const outsideRequests = new Set<AuditAction>([
  'app.decided',
  'session.ended',
  'logout.delivered',
  'logout.undelivered',
  'member.erased',
  'school.removed',
]);

const members = new Set(['version', 'time', 'eventId', 'siteId', 'action', 'outcome', 'address', 'requestId']);

describe('over HTTP', () => {
  test.each(Object.entries(rows))('%s has its members, and no others', (action, expected) => {
    const event = run.events.find((each) => each.action === action);
    const own = Object.entries(event ?? {}).filter(([name]) => !members.has(name) && name !== 'outcome');
    const { outcome, ...rest } = { outcome: Reflect.get(auditOutcomes, action), ...expected };
    expect(Object.fromEntries(own)).toEqual(rest);
    expect(event?.outcome).toBe(outcome);
  });

  test('every event has the members that all have', () => {
    for (const event of run.events) {
      expect(event).toMatchObject({ version: 1, siteId: 'harbour' });
      expect(new Date(event.time).toISOString()).toBe(event.time);
      const ofRequest = event.address === '127.0.0.1' && /^[\da-f-]{36}$/.test(event.requestId ?? '');
      const endedByHost = event.reason === 'client_blocked';
      expect([event.action, ofRequest]).toEqual([event.action, !outsideRequests.has(event.action) && !endedByHost]);
    }
    expect(new Set(run.events.map(({ eventId }) => eventId)).size).toBe(run.events.length);
  });

  test('connections end with the reason, and a member ends one of their own', () => {
    const ended = run.events.filter(({ action }) => action === 'connection.ended');
    expect(ended).toMatchObject([
      { reason: 'application_changed', actor: olivia },
      { actor: sam, memberId: 'sam', connectionId: id },
      { reason: 'client_blocked', actor: administrator, clientId: 'web-member-app', connections: 1 },
    ] satisfies Partial<Record<keyof AuditEvent, unknown>>[]);
  });

  test('a tool call has its outcome', () => {
    const calls = run.events.filter(({ action }) => action === 'tool.called');
    expect(calls.map(({ outcome, reason, tool }) => [outcome, reason, tool?.outcome])).toEqual([
      ['allowed', undefined, 'succeeded'],
      ['allowed', undefined, 'fault'],
      ['refused', 'insufficient_scope', 'refused'],
    ]);
  });

  test('no event, fault or warning contains a credential or an argument', () => {
    const kinds = new Set(run.secrets.values());
    for (const kind of [
      'access_token',
      'refresh_token',
      'handle',
      'id_token',
      'code',
      'code_verifier',
      'client_secret',
      'cookie',
      'csrf',
      'argument',
    ]) {
      expect([...kinds]).toContain(kind);
    }
    expect([run.events.length > 30, run.faults.length]).toEqual([true, 1]);
    const said = [JSON.stringify(run.events), ...[run.faults, run.warnings].map((all) => inspect(all, { depth: 20 }))];
    const found = [...run.secrets].filter(([secret]) => said.some((text) => text.includes(secret)));
    expect(found.map(([, kind]) => kind)).toEqual([]);
  });
});
