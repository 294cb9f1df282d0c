import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { AccessRule } from '../../lib/index.ts';
import type { AppRule } from '../../lib/core/access/rule.ts';
import { csrfOf } from '../helpers/browser.ts';
import {
  authorizeUrl,
  connect,
  exchange,
  introspect,
  pkce,
  refresh,
  reports,
  type TestClient,
} from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { plugins, type Schools, startSchools } from '../helpers/schools.ts';
import { siteOf } from '../helpers/sites.ts';

// The platform and the school each have a rule for one client. Whoever answers has to say what both leave.

const asks: AppRule = { access: 'allowed', ask: true };
const views: AppRule = { access: 'view_only' };

const asked = ['openid', 'courses:read', 'courses:write'] as const;
const client: TestClient = { ...reports, scope: asked.join(' ') };
const reads = 'openid courses:read';

let schools: Schools;
let ofPlatform: () => AccessRule | undefined;
beforeEach(async () => {
  ofPlatform = () => undefined;
  schools = await startSchools({
    ...plugins,
    campus: { access: [() => ofPlatform()] },
    platform: { operatorRoles: ['owner', 'teacher'], adminRoles: ['owner'] },
  });
  const { olivia } = schools.people['harbour'] ?? {};
  if (!olivia) throw new Error('the school has no owner');
  // Whoever decides for the school would be asked to approve the client.
  schools.people['harbour'] = { tess: { ...olivia, id: 'tess', roles: ['teacher'] } };
});
afterEach(() => schools.close());

/** What a person gets, by whoever answers. */
async function answers(person: string): Promise<Readonly<Record<string, unknown>>> {
  const site = siteOf(schools);
  const pair = pkce();
  const browser = schools.browser(person);
  const page = await browser.follow(authorizeUrl(schools.harbour, client, pair));
  const offered = readPage(page.html).getAllByRole('checkbox');
  const body = new URLSearchParams({ csrf: csrfOf(page.html), decision: 'allow', choice: 'shown' });
  for (const { value } of offered) body.append('scope', value);
  const { url } = await browser.follow(page.url, { method: 'POST', body });
  const code = url.searchParams.get('code') ?? '';
  const issued = await exchange({ origin: schools.harbour, client, code, verifier: pair.verifier });
  const again = await refresh(schools.harbour, client, issued.body['refresh_token']);
  const token = String(again.body['access_token']);
  const introspected = await introspect(schools.harbour, client, token);
  const verified = schools.campus.verify(site, token).then(({ scopes }) => scopes.join(' '));
  const explained = await schools.campus.explain(site, { clientId: client.id, memberId: person, scopes: asked });
  return {
    page: offered.map(({ value }) => value),
    token: issued.body['scope'],
    refresh: again.body['scope'],
    verify: await verified.catch(String),
    introspection: introspected.body['scope'],
    explain: explained.scopes.join(' '),
    outcome: explained.outcome,
  };
}

test.each([
  ['the platform asks, and the school allows view only', asks, views],
  ['the platform allows view only, and the school asks', views, asks],
])('%s: whom the school has allowed gets view only, whoever answers', async (_what, platform, school) => {
  ofPlatform = () => platform;
  const site = siteOf(schools);
  const target = { clientId: client.id };
  await schools.campus.apps.set(site, target, school);
  expect((await schools.campus.explain(site, { ...target, memberId: 'tess' })).outcome).toBe('needs_approval');
  await schools.campus.apps.allowPerson(site, target, 'tess');
  expect(await answers('tess')).toEqual({
    page: ['courses:read'],
    token: reads,
    refresh: reads,
    verify: reads,
    introspection: reads,
    explain: reads,
    outcome: 'view_only',
  });
});

test.each([
  ['view only after one that asks', asks, views],
  ['a yes for each person after view only', views, asks],
])('a rule that demands %s takes something away: the access tokens end', async (_what, before, after) => {
  const { apps } = schools.campus;
  const [site, target] = [siteOf(schools), { clientId: client.id }];
  await apps.set(site, target, before);
  await apps.allowPerson(site, target, 'tess');
  const connected = await connect(schools.browser('tess'), schools.harbour, client);
  expect(await apps.set(site, target, after)).toEqual({ ended: 0, atRefresh: 0 });
  expect((await introspect(schools.harbour, client, connected.body['access_token'])).body).toEqual({ active: false });
});
