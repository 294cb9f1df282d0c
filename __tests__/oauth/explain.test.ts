import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { AccessPolicy, AccessRule, Explanation, Question } from '../../lib/index.ts';
import type { AppRule } from '../../lib/core/access/rule.ts';
import { splitScope } from '../../lib/core/scopes/scopes.ts';
import { expectPermission } from '../../lib/testing/expect-permission.ts';
import { authorizeUrl, pkce, type TestClient } from '../helpers/flow.ts';
import { type DecidedSchools, apps, readOnly, scope, startDecidedSchools } from './decided-schools.ts';
import { namedApp } from '../../lib/core/apps/named-app.ts';

let on: DecidedSchools;
/** What the policies say; absent for none. */
let policy: Extract<AccessPolicy, (question: Question) => unknown> | undefined;
let ofPlatform: AccessRule | undefined;
let claude: TestClient;
beforeAll(async () => {
  on = await startDecidedSchools({
    access: [(question) => policy?.(question), { name: 'plan', decide: () => ofPlatform }],
  });
  claude = await on.register(apps['a vendor']);
});
afterAll(() => on.schools.close());
beforeEach(async () => {
  [policy, ofPlatform] = [undefined, undefined];
  for (const target of [{ app: 'claude' }, { clientId: claude.id }])
    await on.schools.campus.apps.reset(on.site, namedApp(target));
  on.events.splice(0);
});

const explain = (memberId: string): Promise<Explanation> =>
  on.schools.campus.explain(on.site, { clientId: claude.id, memberId, scopes: splitScope(scope) });

test('a reason says whose decision it is, since when, and what would change it', async () => {
  await on.schools.campus.apps.set(on.site, 'claude', { access: 'blocked' });
  const expected = {
    code: 'client_blocked',
    from: 'school',
    since: expect.any(Number),
    text: 'this school has blocked the client; ask an administrator of the school',
    change: 'an administrator of the school allows it',
  };
  expect((await explain('tess')).reasons).toEqual([expected]);
  expect((await on.schools.campus.explain(on.site, { app: 'claude' })).reasons).toEqual([expected]);
});

test('a rule for roles names them, and what is left where two rules have none in common', async () => {
  const set = (roles: readonly string[]) => on.schools.campus.apps.set(on.site, 'claude', { access: 'allowed', roles });
  await set(['owner', 'bursar']);
  expect((await explain('tess')).reasons).toMatchObject([
    {
      code: 'client_role',
      from: 'school',
      text: 'this school lets only people with one of these roles connect the client: "owner", "bursar"',
      change: 'an administrator of the school adds a role of the person to the rule',
    },
  ]);
  expect((await on.schools.campus.explain(on.site, { app: 'claude', memberId: 'tess' })).reasons).toMatchObject([
    { code: 'client_role', text: expect.stringContaining('"owner", "bursar"') },
  ]);
  ofPlatform = { access: 'allowed', roles: ['student'] };
  expect((await explain('olivia')).reasons).toMatchObject([
    { text: 'no role can connect the client: the rules of the school and of the platform have no role in common' },
  ]);
  await on.schools.campus.apps.reset(on.site, 'claude');
  expect((await explain('tess')).reasons).toMatchObject([
    { from: 'platform', text: expect.stringMatching(/^the platform lets only .* at this school: "student"$/) },
  ]);
});

test('who is no operator learns which roles make one', async () => {
  expect((await explain('sam')).reasons).toMatchObject([
    { code: 'no_operator', change: 'the platform gives the person one of operatorRoles: "owner", "teacher"' },
  ]);
});

test('an app that only operators connect has the same answer as its client', async () => {
  const { campus } = on.schools;
  const ofApp = (memberId?: string) => campus.explain(on.site, { app: 'claude', memberId, scopes: splitScope(scope) });
  expect(await ofApp('sam')).toEqual(await explain('sam'));
  expect(await ofApp('tess')).toMatchObject({ outcome: 'allowed', reasons: [] });
  expect(await ofApp()).toMatchObject({ outcome: 'allowed', reasons: [] });
  // An application of the school for members is another way in, with the scopes of members.
  const { application: created } = await campus.applications.create(on.site, {
    clientName: 'Claude for members',
    redirectUris: ['https://claude.ai/api/mcp/auth_callback'],
    scopes: ['openid', 'account:read'],
    confidential: false,
    app: 'claude',
  });
  expect(await campus.explain(on.site, { app: 'claude', memberId: 'sam' })).toMatchObject({
    outcome: 'allowed',
    scopes: expect.arrayContaining(['account:read']),
    reasons: [],
  });
  await campus.applications.remove(on.site, created.clientId);
});

test('each rule that takes something is a reason, after a block as well, and a text is shown once', async () => {
  policy = () => ({ access: 'blocked', text: { en: 'Ask the office.', 'zh-Hant': '請洽辦公室。' } });
  ofPlatform = { access: 'view_only', ask: true, roles: ['owner'], text: { en: 'Ask the office.' } };
  await on.schools.campus.apps.set(on.site, 'claude', { access: 'allowed', scopes: readOnly });
  const { outcome, scopes, texts: shown, reasons } = await explain('tess');
  expect({ outcome, scopes, shown }).toEqual({ outcome: 'blocked', scopes: [], shown: ['Ask the office.'] });
  expect(reasons.map(({ code, policy: by = 'school' }) => `${code}: ${by}`)).toEqual([
    'scope: school',
    'client_blocked: access[0]',
    'client_role: access[1] plan',
    'needs_approval: access[1] plan',
  ]);
  const page = async (): Promise<string> => {
    const { html } = await on.schools.browser('tess').follow(authorizeUrl(on.schools.harbour, claude, pkce()));
    return html;
  };
  expect((await page()).match(/Ask the office\.|Owners only\./g)).toEqual(['Ask the office.']);
  await on.schools.campus.apps.reset(on.site, 'claude');
  policy = () => ({ access: 'view_only', text: { en: 'Ask the office.' } });
  ofPlatform = { scopes: ['openid'], text: 'Ask the office.' };
  expect((await page()).match(/Ask the office\.|Owners only\./g)).toEqual(['Ask the office.']);
  // They are in the order of the policies.
  ofPlatform = { access: 'blocked', text: 'Owners only.' };
  const both = ['Ask the office.', 'Owners only.'];
  expect((await explain('tess')).texts).toEqual(both);
  expect((await page()).match(/Ask the office\.|Owners only\./g)).toEqual(both);
});

test('a policy is asked to explain as at connecting', async () => {
  const questions: Pick<Question, 'at' | 'app'>[] = [];
  policy = ({ at, app, scopes }) => {
    questions.push({ at, app });
    return { scopes: scopes.filter((each) => each !== 'courses:write'), text: 'Courses stay.' };
  };
  expect(await explain('tess')).toMatchObject({
    outcome: 'view_only',
    scopes: readOnly,
    texts: ['Courses stay.'],
    reasons: [{ code: 'policy', from: 'platform', policy: 'access[0]' }],
  });
  const app = { id: 'claude', source: 'vendor', kind: 'assistant', verified: true, reviewed: false };
  expect(questions).toEqual([{ at: 'connect', app }]);
});

test.each([
  ['a person who is not there', { clientId: 'member-app', memberId: 'nobody' }, 'no_member'],
  ['a client that is not there', { clientId: 'nothing', memberId: 'tess' }, 'unknown_client'],
  ['a document that no policy permits', { clientId: 'https://nowhere.example/client.json' }, 'client_not_permitted'],
])('%s is impossible', async (_what, question, code) => {
  const explained = await on.schools.campus.explain(on.site, question);
  expect(explained).toMatchObject({ outcome: 'impossible', scopes: [], reasons: [{ code }] });
});

test('the school can be named by its origin; one that is none is a TypeError', async () => {
  const { outcome } = await on.schools.campus.explain(on.schools.harbour, { app: 'claude' });
  expect(outcome).toBe('allowed');
  for (const origin of ['https://nowhere.example', `${on.schools.harbour}/`, 'harbour', '\ud800']) {
    await expect(on.schools.campus.explain(origin, { app: 'claude' })).rejects.toThrow(
      `explain.site must be a school or its origin, not ${JSON.stringify(origin)}`,
    );
  }
});

test('each part of a rule has its own decider', async () => {
  const why = async (ofSchool: AppRule): Promise<unknown> => {
    await on.schools.campus.apps.set(on.site, { clientId: claude.id }, ofSchool);
    return (await explain('tess')).reasons.map(({ code, from }) => [code, from]);
  };
  ofPlatform = { access: 'allowed', scopes: readOnly };
  expect(await why({ access: 'blocked', roles: ['owner'] })).toEqual([
    ['client_blocked', 'school'],
    ['policy', 'platform'],
  ]);
  expect(await why({ access: 'allowed', roles: ['owner'] })).toEqual([
    ['policy', 'platform'],
    ['client_role', 'school'],
  ]);
  expect(await why({ access: 'allowed' })).toEqual([['policy', 'platform']]);
  expect(await why({ access: 'allowed', scopes: ['openid'] })).toEqual([['scope', 'school']]);
  ofPlatform = { access: 'allowed', roles: ['owner'] };
  expect(await why({ access: 'allowed', scopes: readOnly })).toEqual([
    ['scope', 'school'],
    ['client_role', 'platform'],
  ]);
  expect((await explain('tess')).reasons.at(-1)).toMatchObject({
    text: expect.stringMatching(/^the platform lets only/),
    policy: 'access[1] plan',
  });
});

test('pseudonyms that a rule demands and the platform does not have', async () => {
  const reason = (from: string, who: string) => ({
    code: 'client_not_permitted',
    from,
    text: 'the client must know people by pseudonyms only, and the platform has none',
    change: `the platform sets the option pseudonyms, or ${who} no longer demands them`,
  });
  ofPlatform = { access: 'allowed', pseudonym: true };
  expect(await explain('tess')).toMatchObject({ outcome: 'impossible', reasons: [reason('platform', 'the platform')] });
  ofPlatform = undefined;
  await on.schools.campus.apps.set(on.site, 'claude', { access: 'allowed', pseudonym: true });
  const ofSchool = { ...reason('school', 'an administrator of the school'), since: expect.any(Number) };
  for (const question of [{ clientId: claude.id }, { app: 'claude' }])
    expect((await on.schools.campus.explain(on.site, question)).reasons).toEqual([ofSchool]);
});

test('a policy that blocks is not taken for an approval that is missing', async () => {
  policy = () => ({ access: 'blocked' });
  await on.schools.campus.apps.set(on.site, { clientId: claude.id }, { access: 'view_only' });
  const client = { ...claude, scope: 'courses:write' };
  const question = { clientId: client.id, memberId: 'tess', scopes: [client.scope] };
  const explained = await on.schools.campus.explain(on.site, question);
  expect(explained).toMatchObject({
    outcome: 'blocked',
    waiting: [],
    reasons: [
      { code: 'client_blocked', from: 'platform' },
      { code: 'needs_approval', from: 'school' },
    ],
  });
  await on.schools.browser('tess').follow(authorizeUrl(on.schools.harbour, client, pkce()));
  expect(on.events.at(-1)).toMatchObject({
    action: 'authorization.refused',
    reason: 'client_blocked',
    memberId: 'tess',
  });
});

test('an unknown scope is an error, an unknown app and a resource server, which is no client, are impossible', async () => {
  const { campus } = on.schools;
  const misspelt = { clientId: 'member-app', scopes: ['courses:wirte'] };
  await expect(campus.explain(on.site, misspelt)).rejects.toThrow(
    'scopes must be among campus.scopes, not courses:wirte',
  );
  for (const [question, code] of [
    [{ app: 'cluade' }, 'unknown_client'],
    [{ clientId: 'gateway', memberId: 'olivia' }, 'unknown_client'],
  ] as const) {
    expect(await campus.explain(on.site, question)).toMatchObject({ outcome: 'impossible', reasons: [{ code }] });
  }
});

test('expectPermission of the testing kit returns the explanation, or throws every reason', async () => {
  await on.schools.campus.apps.set(on.site, 'claude', { access: 'blocked' });
  const question = { site: on.schools.harbour, clientId: claude.id, memberId: 'tess' };
  const { scopes } = await expectPermission(on.schools.campus, { ...question, outcome: 'blocked' });
  expect(scopes).toEqual([]);
  await expect(expectPermission(on.schools.campus, { ...question, outcome: 'allowed' })).rejects.toThrow(
    'the permission is blocked, not allowed\n  client_blocked (school): this school has blocked the client',
  );
});
