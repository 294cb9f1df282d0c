import { describe, expect, test } from '@jest/globals';
import { type App, type AppIdentity, identityOf, identityOfDocument } from '../../lib/core/access/app.ts';
import { appCode, appOfCode } from '../../lib/core/access/app-of-token.ts';
import { accessPolicies, type NamedRule } from '../../lib/core/access/ask-policies.ts';
import type { AccessPolicy, Question } from '../../lib/index.ts';
import {
  noEmailOf,
  onlyAtSchools,
  onlyRoles,
  reviewedOnly,
  unless,
  viewOnlyUnlessVerified,
} from '../../policies/index.ts';
import type { ClientMetadata } from '../../lib/records/codec.ts';
import { standardScopes } from '../helpers/scopes.ts';

const site = { id: 'harbour', origin: 'https://harbour.example', name: 'Harbour School', connectionsEnabled: true };
const scopes = ['openid', 'email', 'courses:read', 'courses:write'];

type Who = Pick<Question, 'member' | 'service'>;

const person = (...roles: string[]): Who => ({ member: { id: 'p', roles } });
const service: Who = { service: { roles: ['sync'] } };

function ask(policy: AccessPolicy, app: App, who: Who): readonly NamedRule[] {
  const fail = (message: string, cause: unknown): never => {
    throw new Error(message, { cause });
  };
  const asked = { site, app, client: { id: 'c1', audience: 'operator' }, scopes, at: 'use', ...who } as const;
  const rules = accessPolicies([policy], standardScopes, fail)(asked);
  if (rules instanceof Promise) throw new Error('a policy waits at use');
  return rules;
}

const stranger: App = { source: 'loopback', kind: 'assistant', verified: false, reviewed: false };
/** What no release has yet: a policy must not let it pass. */
const fromNowhere: App = JSON.parse('{"source":"federation","kind":"robot","verified":false,"reviewed":false}');
const portal: App = { source: 'platform', kind: 'website', verified: true, reviewed: true };
const claude: App = { id: 'claude', source: 'vendor', kind: 'assistant', verified: true, reviewed: true };
const quiz: App = { id: 'quiz', source: 'vendor', kind: 'website', verified: true, reviewed: false };

const policies: Readonly<Record<string, AccessPolicy>> = {
  unless: unless(({ app }) => app.verified && app.reviewed, { access: 'blocked' }),
  onlyRoles: onlyRoles(['teacher'], { kind: 'assistant' }),
  'onlyRoles of a source': onlyRoles(['teacher'], { source: 'loopback' }),
  'onlyRoles of an app': onlyRoles(['teacher'], { app: 'claude' }),
  reviewedOnly: reviewedOnly({ except: ['teacher'] }),
  'reviewedOnly of roles': reviewedOnly({ roles: ['student'] }),
  viewOnlyUnlessVerified: viewOnlyUnlessVerified(),
  noEmailOf: noEmailOf({ except: ['teacher'] }),
  onlyAtSchools: onlyAtSchools(['summit'], { app: 'claude' }),
};

test.each(Object.entries(policies))('%s: what it does not know is not let in', (name, policy) => {
  for (const who of [person('student'), {}, service])
    for (const app of [stranger, fromNowhere, { ...stranger, claimedId: 'chatgpt' }])
      expect([name, ask(policy, app, who).length]).toEqual([name, 1]);
});

test.each(Object.entries(policies))(
  '%s: nobody, a service and an unknown role get no more than a student',
  (_name, policy) => {
    for (const app of [stranger, fromNowhere, portal, claude, quiz])
      for (const who of [{}, service, person('robot')])
        if (_name !== 'reviewedOnly of roles' || who.member === undefined)
          expect(ask(policy, app, who).length).toBeGreaterThanOrEqual(ask(policy, app, person('student')).length);
  },
);

describe('what a ready-made policy leaves out', () => {
  const lets = (policy: AccessPolicy, app: App, who: Who): boolean => ask(policy, app, who).length === 0;

  test('only apps that are known to be something else', () => {
    expect(lets(onlyRoles(['teacher'], { kind: 'assistant' }), portal, person('student'))).toBe(true);
    expect(lets(onlyRoles(['teacher'], { kind: 'assistant' }), { ...portal, verified: false }, person('student'))).toBe(
      false,
    );
    expect(lets(onlyRoles(['teacher'], { app: 'claude' }), quiz, person('student'))).toBe(true);
    expect(lets(onlyRoles(['teacher'], { app: 'claude' }), { ...stranger, claimedId: 'quiz' }, person('student'))).toBe(
      false,
    );
  });

  test('people with a role that is named, and one with both roles', () => {
    expect(lets(reviewedOnly({ except: ['teacher'] }), quiz, person('student', 'teacher'))).toBe(true);
    expect(lets(reviewedOnly({ roles: ['student'] }), quiz, person('student', 'teacher'))).toBe(false);
    // A misspelt role restricts everybody with `except`, and nobody with `roles`.
    expect(lets(reviewedOnly({ except: ['Teacher'] }), quiz, person('teacher'))).toBe(false);
    expect(lets(reviewedOnly({ roles: ['Student'] }), quiz, person('student'))).toBe(true);
  });

  test('an address that is not asked for; what is left is all but that', () => {
    expect(ask(noEmailOf({ roles: ['student'] }), claude, person('student'))).toEqual([
      { policy: 'access[0] noEmailOf', rule: { scopes: ['openid', 'courses:read', 'courses:write'] } },
    ]);
  });

  test('nothing by a function that returns something else than true', () => {
    const misspelt = unless(({ app }) => Reflect.get(app, 'reviewd'), { access: 'blocked' });
    expect(lets(misspelt, claude, person('teacher'))).toBe(false);
  });
});

test('a ready-made policy shows the roles that it names, for diagnose', () => {
  const all = [onlyRoles(['teacher']), reviewedOnly({ except: ['owner'] }), noEmailOf({ roles: ['student'] })];
  expect(accessPolicies(all, standardScopes, () => undefined).roles).toEqual([
    { policy: 'access[0] onlyRoles', roles: ['teacher'] },
    { policy: 'access[1] reviewedOnly', roles: ['owner'] },
    { policy: 'access[2] noEmailOf', roles: ['student'] },
  ]);
});

test.each<[string, () => AccessPolicy, string]>([
  [
    'a role in place of a list',
    () => Reflect.apply(onlyRoles, undefined, ['teacher']),
    'onlyRoles.roles must be an array of roles',
  ],
  [
    'a member that is misspelt',
    () => Reflect.apply(onlyRoles, undefined, [['teacher'], { knid: 'assistant' }]),
    'onlyRoles.which.knid',
  ],
  [
    'a kind that there is not',
    () => Reflect.apply(onlyAtSchools, undefined, [['a'], { kind: 'robot' }]),
    'onlyAtSchools.which.kind must be',
  ],
  [
    'roles and except',
    () => reviewedOnly({ roles: ['a'], except: ['b'] }),
    'reviewedOnly must have roles or except, not both',
  ],
  ['people in place of roles', () => Reflect.apply(noEmailOf, undefined, [['student']]), 'noEmailOf must be an object'],
])('refuses %s', (_what, make, message) => {
  expect(make).toThrow(message);
});

describe('who an app is', () => {
  const app = { id: 'claude', name: 'Claude', verified: true };
  const registered = { client_id: 'r-1', campus_source: 'registered', campus_audience: 'operator' } as const;

  test.each<[string, ClientMetadata, AppIdentity]>([
    ['a client in code', { client_id: 'reports' }, { source: 'platform', kind: 'assistant', verified: true }],
    [
      'a first-party client',
      { client_id: 'portal', campus_first_party: true },
      { source: 'platform', kind: 'website', verified: true },
    ],
    [
      'what code says',
      { client_id: 'bot', campus_kind: 'website' },
      { source: 'platform', kind: 'website', verified: true },
    ],
    [
      'a service',
      { client_id: 'sync', campus_audience: 'service' },
      { source: 'platform', kind: 'service', verified: true },
    ],
    [
      'an application for sign-in',
      { client_id: 'a', campus_source: 'application', campus_sign_in: {} },
      { source: 'application', kind: 'website', verified: true },
    ],
    [
      'a claimed name',
      { ...registered, redirect_uris: ['http://127.0.0.1/'], campus_app: { ...app, verified: false } },
      { claimedId: 'claude', source: 'loopback', kind: 'assistant', verified: false },
    ],
    [
      'a vendor at its address',
      {
        client_id: 'claude',
        campus_vendor: true,
        redirect_uris: ['https://claude.ai/callback'],
        campus_app: app,
      },
      { id: 'claude', source: 'vendor', kind: 'assistant', verified: true },
    ],
    [
      'a vendor that is also on a computer',
      {
        client_id: 'vs-code',
        campus_vendor: true,
        redirect_uris: ['https://vscode.dev/redirect', 'http://127.0.0.1/'],
        campus_app: app,
      },
      { claimedId: 'claude', source: 'vendor', kind: 'assistant', verified: false },
    ],
    [
      'what a row says that it is',
      {
        client_id: 'quiz',
        campus_vendor: true,
        redirect_uris: ['https://quiz.example/'],
        campus_app: { ...app, kind: 'website' },
      },
      { id: 'claude', source: 'vendor', kind: 'website', verified: true },
    ],
    [
      'a name that says what it is',
      { ...registered, client_name: 'Portal', campus_kind: 'website', redirect_uris: ['http://127.0.0.1/'] },
      { source: 'loopback', kind: 'assistant', verified: false },
    ],
    [
      'an unknown app on the web',
      { ...registered, redirect_uris: ['https://elsewhere.example/'] },
      { source: 'vendor', kind: 'assistant', verified: false },
    ],
  ])('%s', (_what, client, expected) => {
    expect(identityOf(client)).toEqual(expected);
  });

  test('a document is known by its row alone', () => {
    expect(identityOfDocument(undefined)).toEqual({ source: 'document', kind: 'assistant', verified: false });
    expect(identityOfDocument({ ...app, kind: 'website' })).toEqual({
      id: 'claude',
      source: 'document',
      kind: 'website',
      verified: true,
    });
  });

  test('a token has all of it in a few characters', () => {
    for (const each of [stranger, portal, claude, quiz, { ...stranger, claimedId: 'claude-code' }])
      for (const allowed of [true, false])
        expect(appOfCode(appCode({ ...each, allowed }))).toEqual({ ...each, allowed });
    expect(appCode({ ...claude, allowed: true })).toBe('vavry=claude');
    expect(() => appOfCode('')).toThrow('a token has no code of its app');
  });
});
