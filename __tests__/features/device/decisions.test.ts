import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { AuditEvent, Explanation, Site } from '../../../lib/index.ts';
import type { AppStatus } from '../../../lib/core/clients/client-status.ts';
import type { AppRule } from '../../../lib/core/access/rule.ts';
import { splitScope } from '../../../lib/core/scopes/scopes.ts';
import { resetClock, passTime } from '../../helpers/clock.ts';
import { readPage } from '../../helpers/page.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { siteOf } from '../../helpers/sites.ts';
import { confirmCode, poll, startDevice, terminal, withDevices } from './devices.ts';

// The rows of oauth/decision-table.test.ts for a device: page, code, event, explain and the word of the lists agree. The rule comes while the code waits.

const lab = { ...terminal, clientId: 'lab', scopes: ['openid', 'account:read', 'account:write'] } as const;
const client = { id: lab.clientId, redirectUri: '', scope: lab.scopes.join(' ') };
const reads = ['openid', 'account:read'];

let schools: Schools;
let events: AuditEvent[];
/** The rule of the platform in force. */
let inForce: AppRule | undefined;
beforeAll(async () => {
  const clients = [...withDevices.clients, lab];
  const campus = { ...withDevices, clients, access: [() => inForce] };
  schools = await startSchools({ campus, platform: { operatorRoles: ['owner', 'teacher'], adminRoles: ['owner'] } });
  const { olivia, sam } = schools.people['harbour'] ?? {};
  if (!olivia || !sam) throw new Error('the school has no people');
  schools.people['harbour'] = { olivia, sam, tess: { ...olivia, id: 'tess', roles: ['teacher'] } };
  schools.campus.events.on('audit', (event) => events.push(event));
});
afterAll(async () => {
  resetClock();
  await schools.close();
});
beforeEach(async () => {
  inForce = undefined;
  events = [];
  await schools.campus.apps.reset(site(), { clientId: client.id });
});

const site = (): Site => siteOf(schools);
const people = ['olivia', 'tess', 'sam'] as const;

interface Ruled {
  readonly rule: AppRule | undefined;
  readonly outcome: Explanation['outcome'];
  readonly scopes: readonly string[];
  readonly code?: string;
  readonly status: AppStatus;
  /** Who has none of the roles. */
  readonly lacksRole?: readonly string[];
}

const rules: Readonly<Record<string, Ruled>> = {
  'no rule': { rule: undefined, outcome: 'allowed', scopes: lab.scopes, status: 'allowed' },
  'a rule to view only': {
    rule: { access: 'view_only' },
    outcome: 'view_only',
    scopes: reads,
    code: 'needs_approval',
    status: 'view_only',
  },
  'a rule that asks each time': {
    rule: { access: 'allowed', ask: true },
    outcome: 'needs_approval',
    scopes: [],
    code: 'needs_approval',
    status: 'needs_approval',
  },
  'a block': { rule: { access: 'blocked' }, outcome: 'blocked', scopes: [], code: 'client_blocked', status: 'blocked' },
  'a rule for owners': {
    rule: { access: 'allowed', roles: ['owner'] },
    outcome: 'allowed',
    scopes: lab.scopes,
    status: 'allowed',
    lacksRole: ['tess', 'sam'],
  },
  'a rule for some scopes': {
    rule: { access: 'allowed', scopes: reads },
    outcome: 'view_only',
    scopes: reads,
    code: 'scope',
    status: 'view_only',
  },
};

const cells = Object.entries(rules).flatMap(([name, ruled]) =>
  (['school', 'platform'] as const).flatMap((whose) => people.map((who) => ({ name, ruled, whose, who }))),
);

test.each(cells)('$name of the $whose, $who', async ({ ruled, whose, who }) => {
  const started = await startDevice(schools.harbour, client);
  if (whose === 'platform') inForce = ruled.rule;
  else if (ruled.rule) await schools.campus.apps.set(site(), { clientId: client.id }, ruled.rule);
  const lacks = ruled.lacksRole?.includes(who) === true;
  // No approval ends what a policy takes away.
  const taken = whose === 'platform' && ruled.outcome === 'view_only' ? 'policy' : ruled.code;
  const { outcome, scopes, code } = lacks
    ? { outcome: 'blocked', scopes: [], code: 'client_role' }
    : { ...ruled, code: taken };

  const explained = await schools.campus.explain(site(), { clientId: client.id, memberId: who, scopes: lab.scopes });
  expect(explained).toMatchObject({ outcome, scopes });
  expect(explained.reasons.map((reason) => reason.code)).toEqual(code === undefined ? [] : [code]);
  expect((await schools.campus.apps.find(site(), { clientId: client.id })).status).toBe(ruled.status);

  const browser = schools.browser(who);
  const page = await confirmCode(browser, schools.harbour, started.userCode);
  const refused = events.filter(({ action }) => action === 'authorization.refused');
  if (scopes.length === 0) {
    expect(refused).toMatchObject([{ reason: code, memberId: who, clientId: client.id }]);
    expect(page.html).toContain(refused[0]?.requestId);
    expect((await poll(started)).status).toBe(400);
    return;
  }
  expect(refused).toEqual([]);
  const consent = readPage(page.html);
  const form = consent.fields;
  // Only Olivia decides for the school: of anybody else it is a form that nobody was shown.
  form.set('decision', 'allow');
  form.delete('scope');
  for (const { value } of consent.getAllByRole('checkbox')) form.append('scope', value);
  for (const scope of lab.scopes) form.append('scope', scope);
  await browser.follow(page.url, { method: 'POST', body: form });
  passTime(6);
  const { body } = await poll(started);
  expect(new Set(splitScope(String(body['scope'])))).toEqual(new Set(scopes));
});

test('who is not signed in is sent to sign in, and told nothing of the rule', async () => {
  await startDevice(schools.harbour, client);
  await schools.campus.apps.set(site(), { clientId: client.id }, { access: 'blocked' });
  const { url } = await schools.browser().follow(`${schools.harbour}/oauth/device`);
  expect(url.pathname).toBe('/sign-in');
  expect(events.filter(({ action }) => action === 'authorization.refused')).toEqual([]);
});

test('who may not decide approves nothing with a forged form', async () => {
  const { userCode } = await startDevice(schools.harbour, client);
  await schools.campus.apps.set(site(), { clientId: client.id }, { access: 'view_only' });
  const browser = schools.browser('tess');
  const page = await confirmCode(browser, schools.harbour, userCode);
  const form = readPage(page.html).fields;
  form.set('decision', 'approve');
  form.append('scope', 'account:write');
  await browser.follow(page.url, { method: 'POST', body: form });
  expect((await schools.campus.apps.find(site(), { clientId: client.id })).status).toBe('view_only');
  expect(events.filter(({ reason }) => reason === 'approved')).toEqual([]);
});
