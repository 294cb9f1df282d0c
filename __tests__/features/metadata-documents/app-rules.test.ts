import { describe, expect, test } from '@jest/globals';
import type { AppTarget } from '../../../lib/core/access/app-rule.ts';
import type { AppRule } from '../../../lib/core/access/rule.ts';
import type { Site } from '../../../lib/index.ts';
import { loopbackClients, vendorPlatforms, wellKnownVendors } from '../../../policies/index.ts';
import { decisionsOn } from '../../helpers/browser.ts';
import { testClients } from '../../helpers/clients.ts';
import {
  authorizeUrl,
  exchange,
  type JsonResponse,
  jsonResponse,
  memberApp,
  pkce,
  refresh,
  reports,
  type TestClient,
  userinfo,
  webMemberApp,
} from '../../helpers/flow.ts';
import { siteOf } from '../../helpers/sites.ts';
import { client as ofDocument, documentSchools } from './document-schools.ts';
import { namedApp } from '../../../lib/core/apps/named-app.ts';

const { schools, start, publish } = documentSchools();

const site = (id: 'harbour' | 'summit' = 'harbour'): Site => siteOf(schools(), id);
const rules = () => schools().campus.apps;

const own = (id: string) => ({ id, name: id });
const clients = [
  ...testClients.filter(({ clientId }) => clientId !== 'reports'),
  { ...testClients[1], app: own('reporting') },
  { ...testClients[2], clientId: 'portal', clientSecret: 'portal-secret', firstParty: true },
];

/** Rule of the platform in force at Harbour School, for what `target` names. */
let platformRule: { readonly target: AppTarget; readonly rule: AppRule } | undefined;

async function startSchools(): Promise<void> {
  publish();
  platformRule = undefined;
  const url = ofDocument.id;
  const source = { kind: 'read', url: 'https://docs.example/' } as const;
  await start(
    { documents: [{ name: 'Docs', url, source, app: own('docs') }] },
    {
      clients,
      registration: [vendorPlatforms(wellKnownVendors), loopbackClients()],
      access: [
        ({ site: at, app, client }) => {
          if (!platformRule || at.id !== 'harbour') return undefined;
          const { target, rule } = platformRule;
          const isIt = 'app' in target ? target.app === (app.id ?? app.claimedId) : target.clientId === client.id;
          return isIt ? rule : undefined;
        },
      ],
    },
  );
  const oscar = schools().people['harbour']?.['oscar'];
  if (oscar) schools().people['harbour'] = { ...schools().people['harbour'], oscar: { ...oscar, roles: ['owner'] } };
}

async function register(name: string, redirectUri: string, origin = schools().harbour): Promise<JsonResponse> {
  const body = JSON.stringify({ client_name: name, redirect_uris: [redirectUri] });
  const headers = { 'content-type': 'application/json' };
  return jsonResponse(await fetch(`${origin}/api/oauth/register`, { method: 'POST', headers, body }));
}

async function registered(name: string, redirectUri: string, origin?: string): Promise<TestClient> {
  const { body } = await register(name, redirectUri, origin);
  return { id: String(body['client_id']), redirectUri, scope: '' };
}

async function application(): Promise<TestClient> {
  const redirectUri = 'https://notes.example/callback';
  const { application: made, clientSecret } = await schools().campus.applications.create(site(), {
    clientName: 'Notes',
    audience: 'operator',
    redirectUris: [redirectUri],
    scopes: ['openid', 'courses:read', 'courses:write'],
    confidential: true,
  });
  return { id: made.clientId, redirectUri, scope: '', ...(clientSecret && { secret: clientSecret }) };
}

const claude = 'https://claude.ai/api/mcp/auth_callback';

interface Way {
  readonly audience: 'operator' | 'member';
  readonly client: (origin?: string) => TestClient | Promise<TestClient>;
  /** What a rule is set for; without an app it is for the client. */
  readonly app?: string;
  /** Whether it is a client at the other school as well. */
  readonly everywhere?: boolean;
}

const ways: Readonly<Record<string, Way>> = {
  vendor: {
    audience: 'operator',
    client: (at) => registered('Claude', claude, at),
    app: 'claude',
    everywhere: true,
  },
  'loopback client by its name': {
    audience: 'operator',
    client: (at) => registered('Claude Code (harbour)', 'http://localhost:49300/callback', at),
    app: 'claude-code',
    everywhere: true,
  },
  'metadata document': { audience: 'operator', client: () => ofDocument, app: 'docs', everywhere: true },
  'client in code': { audience: 'operator', client: () => reports, app: 'reporting' },
  application: { audience: 'operator', client: application },
  'member client': { audience: 'member', client: () => memberApp },
  'confidential member client': { audience: 'member', client: () => webMemberApp, everywhere: true },
  'first-party client': {
    audience: 'member',
    client: () => ({ ...webMemberApp, id: 'portal', secret: 'portal-secret' }),
    everywhere: true,
  },
};

const wanted = { operator: 'openid courses:read courses:write', member: 'openid account:read account:write' } as const;
const reading = ['openid', 'courses:read', 'account:read'];

const table: Readonly<Record<string, AppRule>> = {
  allowed: { access: 'allowed' },
  approval: { access: 'view_only' },
  blocked: { access: 'blocked' },
  'a role that Olivia has': { access: 'allowed', roles: ['teacher', 'other'] },
  'a role that Sam has': { access: 'allowed', roles: ['student'] },
  'some scopes': { access: 'allowed', scopes: reading },
  'all at once': { access: 'view_only', roles: ['teacher'], scopes: ['openid', 'courses:write', 'account:write'] },
};

/** The scopes that a person gets, by the rule alone. Nobody approves. */
function expected(name: string, { audience }: Way, { access, roles, scopes }: AppRule, person: string): string {
  const theirs = { olivia: ['owner', 'teacher'], oscar: ['owner'], sam: ['student'] }[person] ?? [];
  const isRefused =
    access === 'blocked' ||
    (audience === 'operator' && !theirs.includes('owner')) ||
    (roles && !theirs.some((role) => roles.includes(role)));
  if (isRefused) return '';
  const isReviewed = access === 'allowed' && name !== 'metadata document';
  return wanted[audience]
    .split(' ')
    .filter((scope) => (isReviewed || !scope.endsWith(':write')) && scopes?.includes(scope) !== false)
    .join(' ');
}

/** What a person gets who presses this, if it is there: a token response, or where it ended. */
async function connect(
  way: Way,
  client: TestClient,
  person: string,
  decision: 'allow' | 'approve' = 'allow',
  origin = schools().harbour,
): Promise<JsonResponse | string> {
  const pair = pkce();
  const browser = schools().browser(person);
  const at = await browser.follow(authorizeUrl(origin, client, pair, { scope: wanted[way.audience] }));
  const pressed = [decision, 'allow'].find((each) => decisionsOn(at.html).includes(each));
  const end = pressed === 'allow' || pressed === 'approve' ? await browser.decide(at, pressed) : at;
  const code = end.url.searchParams.get('code');
  return code === null ? end.html : exchange({ origin, client, code, verifier: pair.verifier });
}

const order = Object.values(wanted).join(' ').split(' ');
const bySpecification = (a: string, b: string): number => order.indexOf(a) - order.indexOf(b);

/** The scopes of an access token, as a verification of it tells; empty if it is refused. */
async function scopesOf(response: JsonResponse | string, at: 'harbour' | 'summit' = 'harbour'): Promise<string> {
  if (typeof response === 'string') return '';
  const token = String(response.body['access_token']);
  return schools()
    .campus.verify(site(at), token)
    .then(
      ({ scopes }) => [...scopes].sort(bySpecification).join(' '),
      () => '',
    );
}

const sources = ['the school', 'the platform'] as const;
const cases = Object.keys(ways).flatMap((way) => sources.map((source) => [source, way] as const));

describe.each(cases)('a rule of %s for a %s', (source, name) => {
  const way = ways[name] ?? ways['vendor']!;
  test.each(Object.entries(table))(
    '%s: applies at once and to what comes, gives nothing, and stays at its school',
    async (_rule, rule) => {
      await startSchools();
      const client = await way.client();
      const target = way.app === undefined ? { clientId: client.id } : { app: way.app };
      const person = way.audience === 'operator' ? 'olivia' : 'sam';
      const approve = name === 'metadata document' ? 'approve' : 'allow';
      const before = await connect(way, client, person, approve);
      expect(await scopesOf(before)).toBe(wanted[way.audience]);
      const elsewhere =
        way.everywhere === true &&
        (await connect(way, await way.client(schools().summit), person, approve, schools().summit));

      // A document that was approved keeps that, which ends view only of the school.
      const ends = rule.access === 'view_only' && source === 'the school';
      const isOpen = rule.access === 'allowed' && !rule.roles && !rule.scopes;
      const approved = name === 'metadata document' ? 'client in code' : name;
      const forApproved = (who: string) =>
        name === 'metadata document'
          ? expected(approved, way, { ...rule, access: ends ? 'allowed' : rule.access }, who)
          : expected(name, way, rule, who);
      const left = forApproved(person);
      if (source === 'the platform') platformRule = { target, rule };
      else {
        const effect = await rules().set(site(), namedApp(target), rule);
        expect(effect).toEqual({ ended: left === '' ? 1 : 0, atRefresh: 0 });
      }
      expect(await rules().find(site(), namedApp(target))).toMatchObject({ rule });

      // A stricter rule of the school ends access tokens, and a policy ends none.
      const kept = source === 'the platform' || isOpen ? left : '';
      expect(await scopesOf(before)).toBe(kept);
      if (typeof before === 'string') throw new Error(before);
      expect((await userinfo(schools().harbour, before.body['access_token'])).status).toBe(kept === '' ? 401 : 200);
      const again = await refresh(schools().harbour, client, before.body['refresh_token']);
      expect([again.status, await scopesOf(again)]).toEqual(left === '' ? [400, ''] : [200, left]);

      for (const who of ['olivia', 'oscar', 'sam']) {
        const response = await connect(way, client, who);
        expect([who, await scopesOf(response)]).toEqual([who, forApproved(who)]);
      }
      if (elsewhere) expect(await scopesOf(elsewhere, 'summit')).toBe(wanted[way.audience]);

      platformRule = undefined;
      await rules().reset(site(), namedApp(target));
      expect(await scopesOf(await connect(way, client, person, approve))).toBe(wanted[way.audience]);
    },
  );
});
