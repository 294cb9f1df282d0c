import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import type { AccessRule, AuditEvent, Explanation } from '../../lib/index.ts';
import { ruleId } from '../../lib/core/access/school-rules.ts';
import type { Store } from '../../lib/store.ts';
import type { AppStatus } from '../../lib/core/clients/client-status.ts';
import type { AppRule } from '../../lib/core/access/rule.ts';
import { splitScope } from '../../lib/core/scopes/scopes.ts';
import { client as ofDocument, ordinary } from '../features/metadata-documents/document-schools.ts';
import { type Browser, decisionsOn, type Stop } from '../helpers/browser.ts';
import { authorizeUrl, pkce, type TestClient, webMemberApp } from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { serviceToken, withServices } from '../helpers/services.ts';
import { certificate, type DocumentServer, startDocumentServer } from '../outbound/document-server.ts';
import {
  type DecidedSchools,
  type DescribedApp,
  apps,
  readOnly,
  scope,
  startDecidedSchools,
} from './decided-schools.ts';

// `campus.explain` says what a person gets before the person asks, so each row also asks, as a browser does. Devices have rows of their own:
// features/device/decisions.test.ts.

let on: DecidedSchools;
let store: Store;
/** The rule of the platform in force. */
let inForce: AccessRule | undefined;
let server: DocumentServer;
let client: TestClient;
let browsers: Readonly<Record<Who, Browser>>;

beforeAll(async () => {
  server = await startDocumentServer();
  server.respond((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(ordinary));
  });
});
afterAll(() => server.close());

/** Schools for one way: a person has 60 events of refusals a minute. */
async function start(): Promise<void> {
  const testing = {
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    ca: certificate,
    allowPrivateAddresses: true,
    port: server.port,
  };
  inForce = undefined;
  store = memoryStore();
  on = await startDecidedSchools({
    store,
    grants: withServices.grants,
    access: [() => inForce],
    limits: false,
    testing,
  });
  const { schools } = on;
  const [olivia, tess, sam] = [schools.browser('olivia'), schools.browser('tess'), schools.browser('sam')];
  browsers = { olivia, tess, sam, nobody: schools.browser() };
}

const open = (who: Who): Promise<Stop> =>
  browsers[who].follow(authorizeUrl(on.schools.harbour, client, pkce(), { prompt: 'consent' }));

async function createApplication(audience: 'operator' | 'member'): Promise<TestClient> {
  const redirectUri = 'https://notes.example/callback';
  const scopes = splitScope(scopeOf[audience]);
  const made = { clientName: 'Notes', audience, redirectUris: [redirectUri], scopes, confidential: true };
  const { application, clientSecret: secret = '' } = await on.schools.campus.applications.create(on.site, made);
  return { id: application.clientId, redirectUri, scope: scopeOf[audience], secret };
}

const scopeOf = { operator: scope, member: 'openid account:read account:write' } as const;

interface Way {
  readonly audience: 'operator' | 'member';
  readonly client: () => TestClient | Promise<TestClient>;
  /** Whether it can change data before somebody has reviewed it. @default true */
  readonly isReviewed?: boolean;
  /** What events say of it beside its id. */
  readonly told?: Pick<AuditEvent, 'app'> & { readonly claimed?: { readonly name: string } };
}

/** The platform knows the name of a vendor. */
function toldOf({ app, name, isKnown = false }: DescribedApp): NonNullable<Way['told']> {
  return { ...(app !== undefined && { app }), ...(!isKnown && { claimed: { name } }) };
}

/** All the ways in which an app becomes a client for people. */
const ways: Readonly<Record<string, Way>> = {
  ...Object.fromEntries(
    Object.entries(apps).map(([way, app]): [string, Way] => [
      way,
      {
        audience: 'operator',
        client: () => on.register(app),
        told: toldOf(app),
      },
    ]),
  ),
  'a metadata document': {
    audience: 'operator',
    client: () => ({ ...ofDocument, scope }),
    isReviewed: false,
    told: { claimed: { name: ordinary.client_name } },
  },
  'an application for operators': { audience: 'operator', client: () => createApplication('operator') },
  'an application for members': { audience: 'member', client: () => createApplication('member') },
  'a client in code for members': { audience: 'member', client: () => ({ ...webMemberApp, scope: scopeOf.member }) },
};

/** Nobody is a person who is not signed in. */
const people = ['olivia', 'tess', 'sam', 'nobody'] as const;
type Who = (typeof people)[number];

/** What a rule leaves people of a client that nothing else limits: how much, why not more, and the word for it in lists. */
interface Ruled {
  readonly name: string;
  readonly rule: AppRule | undefined;
  readonly left: 'all' | 'reads' | 'identity' | 'nothing';
  readonly code?: string;
  /** The same of a policy, which no approval ends. @default the same */
  readonly ofPolicy?: string;
  readonly status: AppStatus;
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
    ofPolicy: 'policy',
    status: 'view_only',
  },
  {
    name: 'a rule that asks each time',
    rule: { access: 'allowed', ask: true },
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
    lacksRole: ['tess', 'sam', 'service'],
  },
  {
    name: 'a rule for some scopes',
    rule: { access: 'allowed', scopes: [...readOnly, 'account:read'] },
    left: 'reads',
    code: 'scope',
    ofPolicy: 'policy',
    status: 'view_only',
  },
  {
    name: 'a rule for pseudonyms, which the platform does not have',
    rule: { access: 'allowed', pseudonym: true },
    left: 'nothing',
    code: 'client_not_permitted',
    status: 'blocked',
  },
  {
    name: 'a rule for a limit that the platform does not have any more',
    rule: { access: 'allowed', limited: ['team'] },
    left: 'identity',
    code: 'scope',
    status: 'view_only',
  },
];

interface Expected {
  readonly outcome: Explanation['outcome'];
  readonly left: Ruled['left'];
  readonly code?: string | undefined;
}

const outcomes = { all: 'allowed', reads: 'view_only', identity: 'view_only' } as const;

const refusals: Readonly<Record<string, Explanation['outcome']>> = {
  client_blocked: 'blocked',
  client_not_permitted: 'impossible',
  needs_approval: 'needs_approval',
};

/** Nobody can set a rule for a type that is not declared; this one was declared when the school did. */
async function setRule(rule: AppRule): Promise<void> {
  const target = { clientId: client.id };
  const { limited, ...others } = rule;
  await on.schools.campus.apps.set(on.site, target, others);
  if (!limited) return;
  const id = ruleId(target);
  const found = await store.find(on.site.id, 'AppRule', id);
  const record = JSON.stringify({ ...JSON.parse(found?.record ?? ''), limited });
  await store.save(on.site.id, { kind: 'AppRule', id, record, listed: true });
}

function expectedOf({ audience, isReviewed = true }: Way, ruled: Ruled, who: string): Expected {
  if (audience === 'operator' && who === 'sam') return { outcome: 'impossible', left: 'nothing', code: 'no_operator' };
  const { left, code, lacksRole = [] } = ruled;
  if (lacksRole.includes(who)) return { outcome: 'blocked', left: 'nothing', code: 'client_role' };
  if (left === 'nothing') return { outcome: refusals[code ?? ''] ?? 'blocked', left, code };
  if (left === 'all' && !isReviewed) return { outcome: 'view_only', left: 'reads', code: 'needs_approval' };
  return { outcome: outcomes[left], left, code };
}

const names: Readonly<Record<AppStatus, string>> = {
  allowed: 'Allowed',
  view_only: 'View only',
  needs_approval: 'Needs approval',
  blocked: 'Blocked',
};

const refusedEvents = (): AuditEvent[] => on.events.filter(({ action }) => action === 'authorization.refused');

const whose = ['school', 'platform'] as const;

/** Without a rule, it is nobody's. */
const cells = rules.flatMap((ruled) =>
  (ruled.rule ? whose : whose.slice(0, 1)).map((by) => ({ ruled: saidBy(ruled, by), by })),
);

function saidBy(ruled: Ruled, by: (typeof whose)[number]): Ruled {
  return by === 'platform' && ruled.ofPolicy !== undefined ? { ...ruled, code: ruled.ofPolicy } : ruled;
}

describe.each(Object.entries(ways).map(([way, of]) => ({ way, of })))('$way', ({ of }) => {
  beforeAll(async () => {
    await start();
    client = await of.client();
    // A document that is blocked is not fetched; this one was there before.
    await open('olivia');
  });
  afterAll(() => on.schools.close());

  describe.each(cells)('$ruled.name of the $by', ({ ruled, by }) => {
    const isDocument = of.isReviewed === false;
    const explain = (memberId?: string): Promise<Explanation> =>
      on.schools.campus.explain(on.site, { clientId: client.id, memberId, scopes: splitScope(client.scope) });
    const listed = () => on.schools.campus.apps.find(on.site, { clientId: client.id });

    beforeEach(async () => {
      const { apps: decided, connections } = on.schools.campus;
      inForce = undefined;
      await decided.reset(on.site, { clientId: client.id });
      for (const who of people) await connections.revokeAll(on.site, who);
      if (by === 'platform') inForce = ruled.rule;
      else if (ruled.rule) await setRule(ruled.rule);
      on.events.splice(0);
    });

    test.each(people.slice(0, 3))('%s: page, code, event, explain and the word agree', async (who) => {
      const { outcome, left, code } = expectedOf(of, ruled, who);
      const all = splitScope(client.scope);
      const scopes = { all, reads: all.filter((each) => !each.endsWith(':write')), identity: ['openid'], nothing: [] }[
        left
      ];
      const explained = await explain(who);
      expect(on.events).toEqual([]);
      expect(explained).toMatchObject({ outcome, scopes });
      // Beside the rule that refuses it, nobody has approved its version; that a school blocks it is the rejection of each.
      const isRejected = code === 'client_blocked' && by === 'school';
      const isUnapproved = isDocument && left === 'nothing' && outcome !== 'impossible' && !isRejected;
      const codes = [...(code === undefined ? [] : [code]), ...(isUnapproved ? ['needs_approval'] : [])];
      expect(explained.reasons.map((reason) => reason.code)).toEqual(codes);

      const word = (await listed()).status;
      expect(word).toBe(isDocument && ruled.status === 'allowed' ? 'view_only' : ruled.status);
      const page = await open(who);
      if (left === 'nothing') await expectRefused(page, who, code);
      else {
        expect(refusedEvents()).toEqual([]);
        expect(await allowed(page, who, explained.waiting)).toEqual(scopes);
      }
      const connected = await on.schools.campus.apps.find(on.site, { clientId: client.id });
      expect(connected?.status ?? word).toBe(word);
      // Whoever asks, and whatever they send, decides nothing for the school.
      expect((await listed()).status).toBe(word);
    });

    async function expectRefused(page: Stop, who: Who, code: string | undefined): Promise<void> {
      const refused = refusedEvents();
      const { id, redirectUri } = client;
      expect(refused).toMatchObject([{ reason: code, memberId: who, clientId: id, ...of.told }]);
      expect(refused[0]?.claimed?.redirectUris).toEqual([redirectUri]);
      expect(page.html).toContain(refused[0]?.requestId);
      const back = page.url.searchParams.has('error') ? page : await browsers[who].decide(page, 'deny');
      expect(back.url.searchParams.get('error')).toBe('access_denied');
      expect(refusedEvents()).toHaveLength(1);
    }

    /** The scopes of a person who allows everything that the page has. Who does not decide also tries to approve what waits. */
    async function allowed(page: Stop, who: Who, waiting: readonly string[]): Promise<readonly string[] | undefined> {
      const consent = readPage(page.html);
      const form = consent.fields;
      form.delete('scope');
      if (who !== 'olivia' && waiting.length > 0) {
        expect(decisionsOn(page.html)).not.toContain('approve');
        const forged = new URLSearchParams([...form, ['decision', 'approve']]);
        for (const each of splitScope(client.scope)) forged.append('scope', each);
        const { url } = await browsers[who].follow(page.url, { method: 'POST', body: forged });
        expect(url.searchParams.get('code')).toBeNull();
      }
      form.set('decision', 'allow');
      for (const { value } of consent.getAllByRole('checkbox')) form.append('scope', value);
      const { url } = await browsers[who].follow(page.url, { method: 'POST', body: form });
      expect(url.searchParams.get('code')).not.toBeNull();
      return on.events.find(({ action }) => action.startsWith('consent.'))?.scopes?.after;
    }

    test('who is not signed in is told nothing but to sign in; console and explain have the same word', async () => {
      const { url } = await open('nobody');
      expect([url.pathname, refusedEvents()]).toEqual(['/sign-in', []]);

      const { status } = await listed();
      const { outcome } = await explain();
      expect(outcome === 'impossible' ? 'blocked' : outcome).toBe(status);
      const path = `${on.schools.harbour}/developers/apps?client=${encodeURIComponent(client.id)}`;
      const console = await browsers.olivia.follow(path);
      const [mark] = readPage(console.html).getAll((part) => part.attribute('class')?.startsWith('status ') === true);
      expect(mark?.text).toBe(names[status]);
    });
  });
});

/** Nobody connects a service, so a rule that asks for each person lets none through. */
describe('a service', () => {
  beforeAll(async () => {
    await start();
    const scopes = splitScope(scopeOf.operator).slice(1);
    const made = { clientName: 'Library', audience: 'service', scopes } as const;
    const { application, clientSecret: secret = '' } = await on.schools.campus.applications.create(on.site, made);
    client = { id: application.clientId, redirectUri: '', secret, scope: made.scopes.join(' ') };
  });
  afterAll(() => on.schools.close());

  test.each(rules.flatMap((ruled) => whose.map((by) => ({ ruled: saidBy(ruled, by), by, name: ruled.name }))))(
    '$name of the $by: its token, event, explain and the word agree',
    async ({ ruled, by }) => {
      const { campus, harbour } = on.schools;
      await campus.apps.reset(on.site, { clientId: client.id });
      inForce = by === 'platform' ? ruled.rule : undefined;
      if (by === 'school' && ruled.rule) await setRule(ruled.rule);
      on.events.splice(0);
      const { status, body } = await serviceToken(harbour, client);
      const explained = await campus.explain(on.site, { clientId: client.id });
      const lacks = ruled.lacksRole?.includes('service') === true;
      const code = lacks ? 'client_role' : ruled.code;
      expect(explained.reasons.map((reason) => reason.code)).toEqual(code === undefined ? [] : [code]);
      const word = ruled.left === 'identity' ? 'blocked' : ruled.status;
      if (ruled.left === 'identity') {
        // A service is nobody, so nothing is left of it.
        expect([status, body['error']]).toEqual([400, 'invalid_scope']);
        expect(explained.outcome).toBe('blocked');
      } else if (ruled.left === 'nothing' || lacks) {
        expect([status, body['error']]).toEqual([401, 'invalid_client']);
        expect(explained.outcome).toBe(lacks ? 'blocked' : refusals[code ?? '']);
        expect(on.events).toMatchObject([{ action: 'token.refused', reason: 'invalid_client', clientId: client.id }]);
      } else {
        expect([status, body['scope']]).toEqual([200, explained.scopes.join(' ')]);
        expect(explained.outcome).toBe(outcomes[ruled.left]);
      }
      expect((await campus.apps.find(on.site, { clientId: client.id })).status).toBe(word);
    },
  );
});
