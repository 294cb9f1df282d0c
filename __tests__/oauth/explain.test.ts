import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { AuditEvent, CampusOptions, ConsentRequest, Explanation, Site } from '../../lib/index.ts';
import type { ProgramRule } from '../../lib/core/decisions/program-rule.ts';
import { expectDecision } from '../../lib/testing/expect-decision.ts';
import { loopbackClients, vendorPlatforms, wellKnownVendors } from '../../policies/index.ts';
import type { Stop } from '../helpers/browser.ts';
import { authorizeUrl, exchange, jsonResponse, pkce, type TestClient } from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { plugins, type Schools, startSchools } from '../helpers/schools.ts';
import { siteOf } from '../helpers/sites.ts';

// `campus.explain` says what a person gets before the person asks, so each row also asks, as a browser does.

let schools: Schools;
let events: AuditEvent[];
const scope = 'openid courses:read courses:write';

async function start(options: Partial<CampusOptions> = {}): Promise<void> {
  events = [];
  const registration = [vendorPlatforms(wellKnownVendors), loopbackClients()];
  const platform = { operatorRoles: ['owner', 'teacher'], adminRoles: ['owner'] };
  schools = await startSchools({ ...plugins, campus: { registration, ...options }, platform });
  const { olivia, sam } = schools.people['harbour'] ?? {};
  if (!olivia || !sam) throw new Error('the school has no people');
  const tess = { ...olivia, id: 'tess', name: 'Tess Teacher', roles: ['teacher'] };
  schools.people['harbour'] = { olivia, sam, tess };
  schools.campus.events.on('audit', (event) => events.push(event));
}
beforeEach(() => start());
afterEach(() => schools.close());

const site = (): Site => siteOf(schools);

const programs = {
  'a vendor': { name: 'Claude', redirectUri: 'https://claude.ai/api/mcp/auth_callback' },
  'an unknown loopback program': { name: 'Lab script', redirectUri: 'http://127.0.0.1:8765/callback' },
} as const;

async function register({ name, redirectUri }: (typeof programs)[keyof typeof programs]): Promise<TestClient> {
  const body = JSON.stringify({ client_name: name, redirect_uris: [redirectUri] });
  const headers = { 'content-type': 'application/json' };
  const registered = await fetch(`${schools.harbour}/api/oauth/register`, { method: 'POST', headers, body });
  const { body: client } = await jsonResponse(registered);
  return { id: String(client['client_id']), redirectUri, scope };
}

const explain = (client: TestClient, memberId: string): Promise<Explanation> =>
  schools.campus.explain(site(), { clientId: client.id, memberId, scopes: scope.split(' ') });

/** What the person gets, who allows everything that the page has; otherwise why not, as the audit log has it. */
async function asked(client: TestClient, person: string): Promise<{ scopes?: string[]; reason?: string | undefined }> {
  const browser = schools.browser(person);
  const proof = pkce();
  const page = await browser.follow(authorizeUrl(schools.harbour, client, proof));
  const refused = events.find(({ action }) => action === 'authorization.refused');
  if (refused) return { reason: refused.reason };
  const { url } = await browser.follow(page.url, { method: 'POST', body: allowing(page) });
  const code = url.searchParams.get('code') ?? '';
  const { body } = await exchange({ origin: schools.harbour, client, code, verifier: proof.verifier });
  return { scopes: String(body['scope']).split(' ') };
}

function allowing({ html }: Stop): URLSearchParams {
  const page = readPage(html);
  const form = page.fields;
  form.set('decision', 'allow');
  form.delete('scope');
  for (const { value } of page.getAllByRole('checkbox')) form.append('scope', value);
  return form;
}

const everything = ['openid', 'courses:read', 'courses:write'];
const readOnly = ['openid', 'courses:read'];
type Expected = readonly [outcome: Explanation['outcome'], scopes: readonly string[], code?: string];

/** Olivia is an owner, Tess a teacher who may connect, Sam a student. */
function rowsOf(name: string, rule: ProgramRule | undefined, ofOlivia: Expected, ofTess: Expected = ofOlivia) {
  const ofSam: Expected = ['impossible', [], 'no_operator'];
  const all = { olivia: ofOlivia, tess: ofTess, sam: ofSam };
  return Object.entries(all).map(([who, expected]) => ({ name, rule, who, expected }));
}

const rows = [
  ...rowsOf('no rule', undefined, ['allowed', everything]),
  ...rowsOf('a rule that allows it', { access: 'allowed' }, ['allowed', everything]),
  ...rowsOf('a rule that wants an approval', { access: 'view_only' }, ['view_only', readOnly, 'needs_approval']),
  ...rowsOf('a block', { access: 'blocked' }, ['blocked', [], 'client_blocked']),
  ...rowsOf(
    'a rule for owners',
    { access: 'allowed', roles: ['owner'] },
    ['allowed', everything],
    ['blocked', [], 'client_role'],
  ),
  ...rowsOf('a rule for some scopes', { access: 'allowed', scopes: readOnly }, ['view_only', readOnly, 'scope']),
];

describe.each(Object.entries(programs))('of %s', (_what, program) => {
  async function check(client: TestClient, who: string, [outcome, scopes, code]: Expected): Promise<void> {
    const before = events.length;
    const explained = await explain(client, who);
    expect(events).toHaveLength(before);
    expect(explained).toMatchObject({ outcome, scopes });
    expect(explained.reasons.map((reason) => reason.code)).toEqual(code === undefined ? [] : [code]);
    expect(await asked(client, who)).toEqual(scopes.length > 0 ? { scopes } : { reason: code });
  }

  test.each(rows)('$who gets with $name of the school what explain says', async ({ rule, who, expected }) => {
    const client = await register(program);
    if (rule) await schools.campus.programs.set(site(), { clientId: client.id }, rule);
    await check(client, who, expected);
  });

  test.each(rows)('$who gets with $name of the platform what explain says', async ({ rule, who, expected }) => {
    await schools.close();
    let inForce: ProgramRule | undefined;
    await start({ programRules: () => inForce });
    const client = await register(program);
    inForce = rule;
    await check(client, who, expected);
  });
});

test('a reason says whose decision it is, since when, and what would change it', async () => {
  const client = await register(programs['a vendor']);
  await schools.campus.programs.set(site(), { program: 'claude' }, { access: 'blocked' });
  const expected = {
    code: 'client_blocked',
    from: 'school',
    since: expect.any(Number),
    text: 'this school has blocked the client; ask an administrator of the school',
    change: 'an administrator of the school allows it',
  };
  expect((await explain(client, 'tess')).reasons).toEqual([expected]);
  expect((await schools.campus.explain(site(), { program: 'claude' })).reasons).toEqual([expected]);
});

test('a consent policy is asked to explain, with the approval as it is', async () => {
  await schools.close();
  const questions: Pick<ConsentRequest, 'purpose' | 'approved'>[] = [];
  await start({
    consent: [
      ({ purpose, approved, scopes }: ConsentRequest) => {
        questions.push({ purpose, approved });
        return { decision: 'narrow', scopes: scopes.filter((each) => each !== 'courses:write'), text: 'Courses stay.' };
      },
    ],
  });
  const client = await register(programs['a vendor']);
  expect(await explain(client, 'tess')).toMatchObject({
    outcome: 'view_only',
    scopes: readOnly,
    texts: ['Courses stay.'],
    reasons: [{ code: 'policy', from: 'platform' }],
  });
  expect(questions).toEqual([{ purpose: 'explain', approved: undefined }]);
});

test.each([
  ['a person who is not there', { clientId: 'member-app', memberId: 'nobody' }, 'no_member'],
  ['a client that is not there', { clientId: 'nothing', memberId: 'tess' }, 'unknown_client'],
  ['a document that no policy permits', { clientId: 'https://nowhere.example/client.json' }, 'client_not_permitted'],
])('%s is impossible', async (_what, question, code) => {
  const explained = await schools.campus.explain(site(), question);
  expect(explained).toMatchObject({ outcome: 'impossible', scopes: [], reasons: [{ code }] });
});

test('the school can be named by its origin; one that is none is a TypeError', async () => {
  const { outcome } = await schools.campus.explain(schools.harbour, { program: 'claude' });
  expect(outcome).toBe('allowed');
  for (const origin of ['https://nowhere.example', `${schools.harbour}/`, 'harbour', '\ud800']) {
    await expect(schools.campus.explain(origin, { program: 'claude' })).rejects.toThrow(
      `explain.site must be a school, or its origin: there is none at ${JSON.stringify(origin)}`,
    );
  }
});

test('each part of a rule has its own decider', async () => {
  await schools.close();
  let ofPlatform: ProgramRule | undefined;
  await start({ programRules: () => ofPlatform });
  const client = await register(programs['a vendor']);
  const why = async (ofSchool: ProgramRule): Promise<unknown> => {
    await schools.campus.programs.set(site(), { clientId: client.id }, ofSchool);
    return (await explain(client, 'tess')).reasons.map(({ code, from }) => [code, from]);
  };
  ofPlatform = { access: 'allowed', scopes: readOnly };
  expect(await why({ access: 'blocked' })).toEqual([['client_blocked', 'school']]);
  expect(await why({ access: 'allowed', roles: ['owner'] })).toEqual([['client_role', 'school']]);
  expect(await why({ access: 'allowed' })).toEqual([['scope', 'platform']]);
  expect(await why({ access: 'allowed', scopes: ['openid'] })).toEqual([['scope', 'school']]);
  ofPlatform = { access: 'allowed', roles: ['owner'] };
  expect(await why({ access: 'allowed', scopes: readOnly })).toEqual([['client_role', 'platform']]);
});

test('a policy that denies is not taken for an approval that is missing', async () => {
  await schools.close();
  await start({ consent: [() => ({ decision: 'deny' })] });
  const client = { ...(await register(programs['a vendor'])), scope: 'courses:write' };
  await schools.campus.programs.set(site(), { clientId: client.id }, { access: 'view_only' });
  const question = { clientId: client.id, memberId: 'tess', scopes: ['courses:write'] };
  const explained = await schools.campus.explain(site(), question);
  expect(explained).toMatchObject({ outcome: 'blocked', reasons: [{ code: 'policy' }, { code: 'needs_approval' }] });
  expect(await asked(client, 'tess')).toEqual({ reason: 'policy' });
});

test('an unknown scope is an error, an unknown program and a resource server are impossible', async () => {
  const { campus } = schools;
  const misspelt = { clientId: 'member-app', scopes: ['courses:wirte'] };
  await expect(campus.explain(site(), misspelt)).rejects.toThrow('courses:wirte is not a scope here');
  for (const [question, code] of [
    [{ program: 'cluade' }, 'unknown_client'],
    [{ clientId: 'gateway', memberId: 'olivia' }, 'unauthorized_client'],
  ] as const) {
    expect(await campus.explain(site(), question)).toMatchObject({ outcome: 'impossible', reasons: [{ code }] });
  }
});

test('expectDecision of the testing kit returns the explanation, or throws every reason', async () => {
  const client = await register(programs['a vendor']);
  await schools.campus.programs.set(site(), { program: 'claude' }, { access: 'blocked' });
  const question = { site: schools.harbour, clientId: client.id, memberId: 'tess' };
  const { scopes } = await expectDecision(schools.campus, { ...question, outcome: 'blocked' });
  expect(scopes).toEqual([]);
  await expect(expectDecision(schools.campus, { ...question, outcome: 'allowed' })).rejects.toThrow(
    'the decision is blocked, not allowed\n  client_blocked (school): this school has blocked the client',
  );
});
