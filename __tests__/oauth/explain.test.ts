import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { AuditEvent, CampusOptions, ConsentRequest, Explanation, Site } from '../../lib/index.ts';
import type { ProgramStatus, ProgramRule } from '../../lib/core/clients/client-status.ts';
import { splitScope } from '../../lib/core/scopes/scopes.ts';
import { expectDecision } from '../../lib/testing/expect-decision.ts';
import { loopbackClients, metadataDocuments, vendorPlatforms, wellKnownVendors } from '../../policies/index.ts';
import type { Stop } from '../helpers/browser.ts';
import { authorizeUrl, exchange, jsonResponse, pkce, type TestClient, webMemberApp } from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { plugins, type Schools, startSchools } from '../helpers/schools.ts';
import { serviceToken, withServices } from '../helpers/services.ts';
import { siteOf } from '../helpers/sites.ts';
import { certificate, type DocumentServer, startDocumentServer } from '../outbound/document-server.ts';
import { client as ofDocument, ordinary } from '../features/metadata-documents/document-schools.ts';

// `campus.explain` says what a person gets before the person asks, so each row also asks, as a browser does.

let schools: Schools;
let events: AuditEvent[];
const scope = 'openid courses:read courses:write';

/** The rule of the platform in force. */
let inForce: ProgramRule | undefined;

let server: DocumentServer;
beforeAll(async () => {
  server = await startDocumentServer();
  server.respond((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(ordinary));
  });
});
afterAll(() => server.close());

async function start(options: Partial<CampusOptions> = {}): Promise<void> {
  events = [];
  inForce = undefined;
  const registration = [vendorPlatforms(wellKnownVendors), loopbackClients()];
  const platform = { operatorRoles: ['owner', 'teacher'], adminRoles: ['owner'] };
  const testing = {
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    ca: certificate,
    allowPrivateAddresses: true,
    port: server.port,
  };
  const documents = { metadataDocuments: metadataDocuments({ hosts: ['docs.example'] }), testing };
  const campus = { registration, ...documents, programRules: () => inForce, ...options };
  schools = await startSchools({ ...plugins, campus, platform });
  const { olivia, sam } = schools.people['harbour'] ?? {};
  if (!olivia || !sam) throw new Error('the school has no people');
  const tess = { ...olivia, id: 'tess', name: 'Tess Teacher', roles: ['teacher'] };
  schools.people['harbour'] = { olivia, sam, tess };
  schools.campus.events.on('audit', (event) => events.push(event));
}
beforeEach(() => start());
afterEach(() => schools.close());

const site = (): Site => siteOf(schools);

interface Program {
  readonly name: string;
  readonly redirectUri: string;
}

const programs = {
  'a vendor': { name: 'Claude', redirectUri: 'https://claude.ai/api/mcp/auth_callback' },
  'a known loopback program': { name: 'Claude Code', redirectUri: 'http://127.0.0.1:8766/callback' },
  'an unknown loopback program': { name: 'Lab script', redirectUri: 'http://127.0.0.1:8765/callback' },
} as const satisfies Readonly<Record<string, Program>>;

async function register({ name, redirectUri }: Program): Promise<TestClient> {
  const body = JSON.stringify({ client_name: name, redirect_uris: [redirectUri] });
  const headers = { 'content-type': 'application/json' };
  const registered = await fetch(`${schools.harbour}/api/oauth/register`, { method: 'POST', headers, body });
  const { body: client } = await jsonResponse(registered);
  return { id: String(client['client_id']), redirectUri, scope };
}

async function createApplication(audience: 'operator' | 'member'): Promise<TestClient> {
  const redirectUri = 'https://notes.example/callback';
  const scopes = splitScope(scopeOf[audience]);
  const made = { clientName: 'Notes', audience, redirectUris: [redirectUri], scopes, confidential: true };
  const { application, clientSecret: secret = '' } = await schools.campus.applications.create(site(), made);
  return { id: application.clientId, redirectUri, scope: scopeOf[audience], secret };
}

const scopeOf = { operator: scope, member: 'openid account:read account:write' } as const;

interface Way {
  readonly audience: 'operator' | 'member';
  readonly client: () => TestClient | Promise<TestClient>;
  /** Whether it can change data before somebody has reviewed it. @default true */
  readonly isReviewed?: boolean;
}

/** All the ways in which a program becomes a client for people. */
const ways: Readonly<Record<string, Way>> = {
  ...Object.fromEntries(
    Object.entries(programs).map(([way, program]): [string, Way] => [
      way,
      { audience: 'operator', client: () => register(program) },
    ]),
  ),
  'a metadata document': {
    audience: 'operator',
    client: () => ({ ...ofDocument, scope }),
    isReviewed: false,
  },
  'an application for operators': { audience: 'operator', client: () => createApplication('operator') },
  'an application for members': { audience: 'member', client: () => createApplication('member') },
  'a client in code for members': { audience: 'member', client: () => ({ ...webMemberApp, scope: scopeOf.member }) },
};

const explain = (client: TestClient, memberId: string): Promise<Explanation> =>
  schools.campus.explain(site(), { clientId: client.id, memberId, scopes: splitScope(client.scope) });

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

const readOnly = ['openid', 'courses:read'];

/** Olivia is an owner, Tess a teacher who may connect, Sam a student. */
const people = ['olivia', 'tess', 'sam'] as const;

/** What a rule leaves people of a client that nothing else limits: how much, why not more, and the word for it in lists. */
interface Ruled {
  readonly name: string;
  readonly rule: ProgramRule | undefined;
  readonly left: 'all' | 'reads' | 'nothing';
  readonly code?: string;
  readonly status: ProgramStatus;
  /** Who has none of the roles. */
  readonly lacksRole?: readonly string[];
}

const rules: readonly Ruled[] = [
  { name: 'no rule', rule: undefined, left: 'all', status: 'allowed' },
  { name: 'a rule that allows it', rule: { access: 'allowed' }, left: 'all', status: 'allowed' },
  {
    name: 'a rule to view only',
    rule: { access: 'view_only' },
    left: 'reads',
    code: 'needs_approval',
    status: 'view_only',
  },
  {
    name: 'a rule that asks each time',
    rule: { access: 'ask' },
    left: 'nothing',
    code: 'needs_approval',
    status: 'needs_approval',
  },
  { name: 'a block', rule: { access: 'blocked' }, left: 'nothing', code: 'client_blocked', status: 'blocked' },
  {
    name: 'a rule for owners',
    rule: { access: 'allowed', roles: ['owner'] },
    left: 'all',
    status: 'allowed',
    lacksRole: ['tess', 'sam'],
  },
  {
    name: 'a rule for some scopes',
    rule: { access: 'allowed', scopes: [...readOnly, 'account:read'] },
    left: 'reads',
    code: 'scope',
    status: 'allowed',
  },
];

interface Expected {
  readonly outcome: Explanation['outcome'];
  readonly left: Ruled['left'];
  readonly code?: string | undefined;
}

const outcomes = { all: 'allowed', reads: 'view_only' } as const;

function expectedOf({ audience, isReviewed = true }: Way, ruled: Ruled, who: string): Expected {
  if (audience === 'operator' && who === 'sam') return { outcome: 'impossible', left: 'nothing', code: 'no_operator' };
  const { left, code, lacksRole = [] } = ruled;
  if (lacksRole.includes(who)) return { outcome: 'blocked', left: 'nothing', code: 'client_role' };
  if (left === 'nothing') return { outcome: code === 'client_blocked' ? 'blocked' : 'needs_approval', left, code };
  if (left === 'all' && !isReviewed) return { outcome: 'view_only', left: 'reads', code: 'needs_approval' };
  return { outcome: outcomes[left], left, code };
}

const cells = Object.entries(ways).flatMap(([name, way]) =>
  rules.flatMap((ruled) => people.map((who) => ({ way: name, of: way, who, ruled, name: ruled.name }))),
);

describe('page, code, event, explain and the word of the lists agree', () => {
  async function check(client: TestClient, { of: way, ruled, who }: (typeof cells)[number]): Promise<void> {
    const { outcome, left, code } = expectedOf(way, ruled, who);
    const all = splitScope(client.scope);
    const scopes = { all, reads: all.filter((each) => !each.endsWith(':write')), nothing: [] }[left];
    const before = events.length;
    const explained = await explain(client, who);
    expect(events).toHaveLength(before);
    expect(explained).toMatchObject({ outcome, scopes });
    expect(explained.reasons.map((reason) => reason.code)).toEqual(code === undefined ? [] : [code]);
    // A document that is blocked is not fetched, whoever asks.
    const reason = way.isReviewed === false && ruled.status === 'blocked' ? 'client_blocked' : code;
    expect(await asked(client, who)).toEqual(left === 'nothing' ? { reason } : { scopes });

    const status = way.isReviewed === false && ruled.status === 'allowed' ? 'view_only' : ruled.status;
    const { clientId, ...listed } = await schools.campus.programs.find(site(), { clientId: client.id });
    expect([clientId, listed.status]).toEqual([client.id, status]);
    const connected = await schools.campus.connections.findClient(site(), client.id);
    expect(connected?.status ?? status).toBe(status);
    const ofAnyone = await schools.campus.explain(site(), { clientId: client.id, scopes: all });
    // What a scope lacks is no status: people can still connect it, and choose.
    expect(ofAnyone.outcome).toBe(ruled.code === 'scope' ? 'view_only' : status);
  }

  test.each(cells)('$way, $name of the school, $who', async (cell) => {
    const client = await cell.of.client();
    const { rule } = cell.ruled;
    if (rule) await schools.campus.programs.set(site(), { clientId: client.id }, rule);
    await check(client, cell);
  });

  test.each(cells)('$way, $name of the platform, $who', async (cell) => {
    const client = await cell.of.client();
    inForce = cell.ruled.rule;
    await check(client, cell);
  });
});

/** Nobody connects a service, so a rule that asks for each person lets none through. */
test.each(rules.filter(({ lacksRole }) => !lacksRole))(
  'a service, $name: its token and explain agree',
  async (ruled) => {
    await schools.close();
    await start({ grants: withServices.grants });
    const made = { clientName: 'Library', audience: 'service', scopes: splitScope(scopeOf.operator).slice(1) } as const;
    const { application, clientSecret: secret = '' } = await schools.campus.applications.create(site(), made);
    const client = { id: application.clientId, redirectUri: '', secret, scope: made.scopes.join(' ') };
    if (ruled.rule) await schools.campus.programs.set(site(), { clientId: client.id }, ruled.rule);
    const { status, body } = await serviceToken(schools.harbour, client);
    const explained = await schools.campus.explain(site(), { clientId: client.id });
    if (ruled.left === 'nothing') {
      expect([status, explained.outcome]).toEqual([401, ruled.status]);
      expect(explained.reasons.map(({ code }) => code)).toEqual([ruled.code]);
    } else {
      expect([status, body['scope']]).toEqual([200, explained.scopes.join(' ')]);
      expect(explained.outcome).toBe(outcomes[ruled.left]);
    }
  },
);

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
