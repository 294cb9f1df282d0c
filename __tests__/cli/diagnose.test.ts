import { expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import { clientKey } from '../helpers/client-keys.ts';
import { clientCredentials, deviceAuthorization } from '../../lib/grant-types.ts';
import {
  type Campus,
  type CampusOptions,
  createCampus,
  type RegistrationPolicy,
  type SchoolPlatform,
} from '../../lib/index.ts';
import { defineTool, mcp } from '../../lib/mcp/index.ts';
import { memberApi } from '../../lib/member/index.ts';
import { loopbackClients, onlyRoles, reviewedOnly, vendorPlatforms, wellKnownVendors } from '../../policies/index.ts';
import { testClients } from '../helpers/clients.ts';
import { setClockAhead, resetClock } from '../helpers/clock.ts';
import { signingKey } from '../helpers/keys.ts';
import { plugins, type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite, siteOf } from '../helpers/sites.ts';
import { campusOidc } from './command.ts';

const [key, next] = await Promise.all([signingKey('now'), signingKey('next')]);
const secret = 'p0Yl2mLrT8xqWcVb5nKz7sHd3fGj9aEu';
const origin = 'https://harbour.example';
const good: CampusOptions = {
  platform: {
    findSite: (asked) => (asked === origin ? harbourSite(origin) : undefined),
    signedInMember: () => undefined,
    signInUrl: () => '/sign-in',
    findMember: () => undefined,
  },
  store: memoryStore(),
  keys: { signing: [key], published: [next], cookies: [secret] },
  registration: [vendorPlatforms(wellKnownVendors), loopbackClients()],
};

async function idsOf(change: Partial<CampusOptions>, origins: readonly string[] = [origin]): Promise<string[]> {
  const findings = await createCampus({ ...good, ...change }).diagnose({ origins });
  return findings.map(({ id }) => id);
}

const site = (answer: unknown): Partial<CampusOptions> => ({
  platform: { ...good.platform, findSite: () => Object(answer) },
});
const school = harbourSite(origin);
const policy = (name: string, decide: RegistrationPolicy['decide']): RegistrationPolicy => ({ name, decide });
const tool = defineTool({
  name: 'profile',
  description: 'Shows the profile.',
  access: { scopes: ['account:read'] },
  run: () => 'fine',
});
const failingStore = {
  ...memoryStore(),
  ping: async () => {
    throw new Error('the disk is gone');
  },
};

const own = (id: string) => ({ id, name: id });

test('nothing is found in a good configuration', async () => {
  expect(await idsOf({})).toEqual([]);
});

interface Case {
  readonly id: string;
  readonly change: Partial<CampusOptions>;
  readonly origins?: readonly string[];
}

const casesOf = (rows: readonly [id: string, change: Partial<CampusOptions>, origins?: readonly string[]][]): Case[] =>
  rows.map(([id, change, origins]) => ({ id, change, ...(origins && { origins }) }));

const cases = casesOf([
  ['store-failing', { store: failingStore }],
  ['keys-none-signing', { keys: { signing: [], published: [key], cookies: [secret] } }],
  ['keys-no-next', { keys: { signing: [key], cookies: [secret] } }],
  ['keys-repeated', { keys: { signing: [key], published: [{ ...key, kid: 'other' }], cookies: [secret] } }],
  ['cookies-weak', { keys: { signing: [key, next], cookies: ['0123456789abcdef'] } }],
  ['cookies-weak', { keys: { signing: [key, next], cookies: ['a'.repeat(64)] } }],
  ['cookies-repeated', { keys: { signing: [key, next], cookies: [secret, secret] } }],
  ['cookies-many', { keys: { signing: [key, next], cookies: [1, 2, 3, 4].map((n) => secret + String(n)) } }],
  ['school-none', {}, []],
  ['school-unknown', {}, ['https://nowhere.example']],
  ['school-failing', site({ ...school, origin: `${origin}/` })],
  ['school-port', site({ ...school, origin: `${origin}:8443` }), [`${origin}:8443`]],
  ['school-http', site({ ...school, origin: 'http://harbour.example' }), ['http://harbour.example']],
  ['registration-shadowed', { registration: [loopbackClients(), loopbackClients({ localhost: false })] }],
  [
    'registration-failing',
    {
      registration: [
        policy('ours', () => {
          throw new Error('no database');
        }),
      ],
    },
  ],
  ['tool-unreachable', { mcp: mcp({ tools: [tool] }) }],
  ['scope-unused', { memberApi: memberApi({ data: { unreadNotificationCount: () => 0 } }) }],
  ['tool-schema', { mcp: mcp({ tools: [{ ...tool, access: 'public', inputSchema: { type: 'object' } }] }) }],
  [
    'tool-unreachable',
    { mcp: mcp({ tools: [{ ...tool, access: { scopes: ['courses:read'], audience: ['service'] } }] }) },
  ],
]);

test.each(cases)('$id', async ({ id, change, origins }) => {
  expect([...new Set(await idsOf(change, origins))]).toEqual([id]);
});

test('devices-off: a school has applications for devices, and the grant is off', async () => {
  const on = createCampus({ ...good, grants: [deviceAuthorization()] });
  const display = { clientName: 'Display', redirectUris: [], scopes: ['openid'], confidential: false } as const;
  const { application } = await on.applications.create(school, { ...display, device: true });
  expect(await on.diagnose({ origins: [origin] })).toEqual([]);
  const findings = await createCampus(good).diagnose({ origins: [origin] });
  expect(findings).toMatchObject([{ id: 'devices-off', text: `applications of harbour: ${application.clientId}` }]);
  await on.applications.remove(school, application.clientId);
});

test('services-off: a school has services, and the grant is off', async () => {
  const on = createCampus({ ...good, grants: [clientCredentials()] });
  const service = { audience: 'service', clientName: 'Sync', scopes: ['courses:read'] } as const;
  const { application } = await on.applications.create(school, service);
  expect(await on.diagnose({ origins: [origin] })).toEqual([]);
  const [finding, ...more] = await createCampus(good).diagnose({ origins: [origin] });
  expect([finding?.id, finding?.text, more]).toEqual([
    'services-off',
    `applications of harbour: ${application.clientId}`,
    [],
  ]);
  await on.applications.remove(school, application.clientId);
});

test('keys-off: a school has an application with keys, and private_key_jwt is off', async () => {
  const on = createCampus({ ...good, clientAuthentication: ['private_key_jwt'] });
  const { publicJwk } = await clientKey();
  const application = {
    clientName: 'A',
    redirectUris: ['https://a.example/'],
    scopes: ['openid'],
    confidential: true,
  } as const;
  const made = await on.applications.create(school, { ...application, publicKeys: { keys: [publicJwk] } });
  expect(await on.diagnose({ origins: [origin] })).toEqual([]);
  const [finding, ...more] = await createCampus(good).diagnose({ origins: [origin] });
  const { clientId } = made.application;
  expect([finding?.id, finding?.text, more]).toEqual(['keys-off', `applications of harbour: ${clientId}`, []]);
  await on.applications.remove(school, clientId);
});

const library = {
  clientName: 'Library',
  redirectUris: ['https://library.example/auth'],
  scopes: ['openid'],
  confidential: true,
} as const;

test('keys-no-rs256: a sign-in client expects RS256, and no such key signs any more', async () => {
  const [rs256, later] = await Promise.all([signingKey('rs', 'RS256'), signingKey('rs-next', 'RS256')]);
  const both = { signing: [key, rs256], published: [next, later], cookies: [secret] };
  const { confidential: _, ...board } = {
    ...library,
    clientId: 'board',
    audience: 'member',
    clientSecret: 'a',
  } as const;
  const clients = [{ ...board, signIn: {} }];
  const on = createCampus({ ...good, keys: both, clients });
  const made = await on.applications.create(school, { ...library, signIn: {} });
  const other = await on.applications.create(school, { ...library, signIn: { idTokenAlgorithm: 'ES256' } });
  expect(await on.diagnose({ origins: [origin] })).toEqual([]);
  const { clientId } = made.application;
  const gone = { signing: [key], published: [next, rs256, later], cookies: [secret] };
  expect(await createCampus({ ...good, keys: gone, clients }).diagnose({ origins: [origin] })).toMatchObject([
    { id: 'keys-no-rs256', severity: 'warning', text: `at harbour these get ES256 for RS256: board, ${clientId}` },
  ]);
  const none = { signing: [], published: [key, next, rs256, later], cookies: [secret] };
  const unsigned = await createCampus({ ...good, keys: none, clients }).diagnose({ origins: [origin] });
  expect(unsigned.map(({ id }) => id)).toEqual(['keys-none-signing']);
  for (const { application } of [made, other]) await on.applications.remove(school, application.clientId);
});

test('logout-off and pseudonyms-off: a school has applications and rules with what belongs to an option that is off', async () => {
  const options = { logout: { endSession: () => undefined }, pseudonyms: { key: 'never another'.repeat(3) } };
  const on = createCampus({ ...good, ...options });
  const told = { backchannelLogoutUri: 'https://library.example/told' };
  const { application: both } = await on.applications.create(school, { ...library, ...told, subject: 'pairwise' });
  const back = { postLogoutRedirectUris: ['https://library.example/bye'] };
  const { application: one } = await on.applications.create(school, { ...library, ...back });
  await on.apps.set(school, { clientId: one.clientId }, { access: 'allowed', pseudonym: true });
  expect(await on.diagnose({ origins: [origin] })).toEqual([]);
  const findings = await createCampus(good).diagnose({ origins: [origin] });
  expect(findings).toMatchObject([
    { id: 'logout-off', text: expect.stringMatching(/^applications of harbour: app-[\w-]+, app-[\w-]+$/) },
    { id: 'pseudonyms-off', text: `applications of harbour: ${both.clientId}` },
    { id: 'pseudonyms-off', text: `rules of harbour: client ${one.clientId}` },
  ]);
  for (const { clientId } of [both, one]) await on.applications.remove(school, clientId);
  await on.apps.reset(school, { clientId: one.clientId });
});

test('a trailing slash in what findSite returns is named', async () => {
  const [finding] = await createCampus({ ...good, ...site({ ...school, origin: `${origin}/` }) }).diagnose({
    origins: [origin],
  });
  expect(finding?.text).toContain('returned origin: "https://harbour.example/"; it must be the requested origin');
});

test('keys-failing: a function that does not return keys any more', async () => {
  let isBroken = false;
  const keys = () => {
    if (isBroken) throw new Error('the vault is closed');
    return { signing: [key], published: [next], cookies: [secret] };
  };
  const campus = createCampus({ ...good, keys });
  campus.events.on('fault', () => undefined);
  isBroken = true;
  setClockAhead(11);
  expect((await campus.diagnose({ origins: [origin] })).map(({ id }) => id)).toEqual(['keys-failing']);
  resetClock();
});

test('proxy-forgotten, and the origins of requests are looked at without being named', async () => {
  const schools = await startSchools(plugins);
  const { campus, harbour, summit } = schools;
  const headers = { 'x-forwarded-host': new URL(harbour).host, 'x-forwarded-proto': 'http' };
  await fetch(`${summit.replace('127.0.0.1', '[::1]')}/auth.md`, { headers }).catch(() => undefined);
  await fetch(`${harbour}/auth.md`);
  const ids = (await campus.diagnose()).map(({ id }) => id);
  expect(ids).not.toContain('school-unknown');
  const { request } = await import('node:http');
  await new Promise((done) => {
    const sent = request(`${summit}/auth.md`, { headers: { ...headers, host: '10.0.0.7' } }, (response) => {
      response.resume().on('end', done);
    });
    sent.end();
  });
  expect((await campus.diagnose()).map(({ id }) => id)).toContain('proxy-forgotten');
  await schools.close();
});

test('role-spelling: the platform writes the role of an operator in another case than operatorRoles', async () => {
  const roles = ['OWNER', 'staff'];
  const schools = await startSchools({
    platform: { findMember: (_site, id) => ({ id, name: 'Olivia', email: 'olivia@example.com', roles }) },
  });
  const ask = () => schools.browser('olivia').follow(`${schools.harbour}/developers/oauth-applications`);
  const spelt = async () => (await schools.campus.diagnose()).filter(({ id }) => id === 'role-spelling');
  expect(await spelt()).toEqual([]);
  expect((await ask()).response.status).toBe(403);
  expect(await spelt()).toMatchObject([
    { severity: 'warning', text: 'findMember returned the role "OWNER"; operatorRoles has "owner"' },
  ]);
  await schools.close();
});

test.each([
  ['a member in another case', { timezone: 'Asia/Taipei' }, ['timezone', 'timeZone']],
  ['a member with a letter less', { formerOrigin: [] }, ['formerOrigin', 'formerOrigins']],
  ['British spelling', { colours: { accent: '#123456' } }, ['colours', 'colors']],
  ['a colour', { colors: { acent: '#123456' } }, ['colors.acent', 'colors.accent']],
  ['an inherited member', Object.create({ logoURL: 'https://school.example/' }), ['logoURL', 'logoUrl']],
])('site-spelling: %s', async (_what, more, [given, meant]) => {
  const asked = site(Object.assign(Object.create(Object.getPrototypeOf(more)), school, more));
  const findings = await createCampus({ ...good, ...asked }).diagnose({ origins: [origin] });
  const text = `findSite returned ${given} for harbour; did you mean ${meant}?`;
  expect(findings).toMatchObject([{ id: 'school-spelling', severity: 'warning', text }]);
});

test('site-spelling: a member of the platform itself is left alone, also near one that is there', async () => {
  const more = { plan: 'free', formerOrigins: [], formerOrigin: 'x', originOfLogo: 'x', idn: 7 };
  expect(await idsOf(site({ ...school, ...more }))).toEqual([]);
});

test.each([
  ['platform.roles has', { roles: () => [{ role: 'owner' }, { role: 'teacher' }] }],
  ['others have', {}],
])('role-spelling: findMember returns a role in another case than %s', async (elsewhere, more) => {
  const roleOf = (id: string): string => (id === 'sam' ? 'teacher' : 'Teacher');
  const schools = await startSchools({
    platform: {
      ...more,
      findMember: (_site, id) => ({ id, name: id, email: `${id}@example.com`, roles: [roleOf(id)] }),
    },
  });
  const { campus, harbour } = schools;
  for (const person of ['sam', 'tess']) await schools.browser(person).follow(`${harbour}/account/apps`);
  const spelt = (await campus.diagnose({ origins: [harbour] })).filter(({ id }) => id === 'role-spelling');
  expect(spelt).toMatchObject([
    { severity: 'warning', text: `findMember returned the role "Teacher" at harbour; ${elsewhere} "teacher"` },
  ]);
  await schools.close();
});

test('role-unknown and roles-failing: an option or a rule has a role that platform.roles does not list', async () => {
  let roles = ['owner', 'teacher', 'tutor'];
  const schools = await startSchools({
    platform: {
      operatorRoles: ['owner', 'teachr'],
      adminRoles: ['owner', 'prefect', 'bursar'],
      roles: ({ id }) => {
        if (id === 'harbour') return roles.map((role) => ({ role }));
        if (roles.length === 0) throw new Error('the table is gone');
        return [{ role: 'bursar' }];
      },
    },
  });
  const { campus, harbour, summit } = schools;
  const about = async () =>
    (await campus.diagnose({ origins: [harbour, summit] })).flatMap(({ id, severity, text }) =>
      id.startsWith('role') ? [[id, severity, text]] : [],
    );
  const rule = { access: 'allowed', roles: ['owner', 'tutor'] } as const;
  await campus.apps.set(siteOf(schools), 'claude', rule);
  await campus.apps.set(siteOf(schools), { clientId: 'x' }, { ...rule, roles: ['owner'] });
  const options = [
    [
      'role-unknown',
      'warning',
      'operatorRoles has "teachr", which platform.roles does not list; did you mean "teacher"?',
    ],
    ['role-unknown', 'warning', 'adminRoles has "prefect", which platform.roles does not list'],
  ];
  expect(await about()).toEqual(options);
  roles = ['owner', 'teacher'];
  const gone = [
    'role-unknown',
    'warning',
    'the rule of harbour for "app claude" has "tutor", which platform.roles does not list',
  ];
  expect(await about()).toEqual([...options, gone]);
  roles = [];
  const [failing] = await about();
  expect(failing).toEqual(['roles-failing', 'error', 'platform.roles failed for summit: the table is gone']);
  await schools.close();
});

test.each<[string, Partial<SchoolPlatform>, string[]]>([
  [
    'platform.roles does not list',
    { roles: () => [{ role: 'owner' }, { role: 'teacher' }] },
    ['Teacher', 'studnet', 'student'],
  ],
  // Without that, a role that nobody was seen with may be there all the same.
  ['nobody was seen with', {}, ['Teacher']],
])('role-unknown: a policy names a role, in another case too, which %s', async (lacks, platform, wrong) => {
  const access = [onlyRoles(['Teacher', 'owner']), reviewedOnly({ except: ['studnet', 'student'] })];
  const schools = await startSchools({
    campus: { access },
    platform: { operatorRoles: ['owner', 'teacher'], ...platform },
  });
  const findings = await schools.campus.diagnose({ origins: [schools.harbour] });
  const unknown = findings.flatMap(({ id, text }) => (id === 'role-unknown' ? [text] : []));
  expect(
    unknown.map((text) => /^access\[\d\] \w+ has "(?<role>\w+)", which (?<lacks>[\w. ]+)/.exec(text)?.groups),
  ).toEqual(wrong.map((role) => ({ role, lacks })));
  expect(unknown[0]).toMatch(/; did you mean "teacher"\?$/);
  await schools.close();
});

test('app-unknown: a rule is for an app that this release, the options and the clients of the school do not have', async () => {
  const store = memoryStore();
  const before = await startSchools({
    campus: { store, registration: [{ ...loopbackClients(), apps: ['cluade', 'library', 'notes'] }] },
  });
  for (const app of ['claude', 'cluade', 'library', 'notes'])
    await before.campus.apps.set(siteOf(before), app, { access: 'view_only' });
  await before.campus.apps.set(siteOf(before), { clientId: 'cluade' }, { access: 'blocked' });
  const about = async ({ campus, harbour }: Schools) =>
    (await campus.diagnose({ origins: [harbour] })).flatMap(({ id, severity, text }) =>
      id === 'app-unknown' ? [[severity, text]] : [],
    );
  expect(await about(before)).toEqual([]);
  await before.close();
  const inCode = { ...testClients[1], clientId: 'library', app: own('library') };
  const after = await startSchools({
    campus: { store, registration: [loopbackClients()], clients: [...testClients, inCode] },
  });
  const text = (app: string) => `a rule of harbour is for the app "${app}", which no client has`;
  expect(new Set(await about(after))).toEqual(
    new Set([
      ['warning', `${text('cluade')}; did you mean "claude"?`],
      ['warning', text('notes')],
    ]),
  );
  await after.close();
});

test('an origin that is none is a TypeError', async () => {
  const campus: Campus = createCampus(good);
  await expect(campus.diagnose({ origins: ['harbour'] })).rejects.toThrow('diagnose.origins[0] must be an origin');
});

test.each([
  [['diagnose'], 'name one module, for example: campus-oidc diagnose ./campus.ts'],
  [['diagnose', 'nowhere.ts', '--origin'], "Option '--origin <value>' argument missing; see campus-oidc diagnose"],
  [['diagnose', 'nowhere.ts', '--orgin', 'x'], 'there is no option --orgin; did you mean --origin?'],
  [['diagnose', 'nowhere.ts'], 'nowhere.ts cannot be imported'],
  [['diagnose', 'nowhere.ts', '--origin', 'harbour'], 'an origin must be like https://harbour.example, not harbour'],
  [['diagnose', 'lib/kernel/version.ts'], 'it exports version'],
])('%j is wrong usage', async (args, message) => {
  const { code, out, err } = await campusOidc(args);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain(message);
});
