import { afterEach, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import type { CampusOptions, HostClaims, ScopeRow } from '../../lib/index.ts';
import { authorizeUrl, connect, memberApp, pkce, userinfo, webMemberApp } from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

let schools: Schools;
afterEach(() => schools.close());

async function start(claims: HostClaims | undefined, options: Partial<CampusOptions> = {}): Promise<void> {
  schools = await startSchools({ campus: { claims, ...options } });
}

/** Any value, as a platform in plain JavaScript returns it. */
const returning = (values: object): HostClaims => JSON.parse('0', () => () => values);

async function told(scope: string, client = memberApp): Promise<Record<string, unknown>> {
  const { body } = await connect(schools.browser('sam'), schools.harbour, client, { scope });
  const { body: claims } = await userinfo(schools.harbour, body['access_token']);
  expect(decodeJwt(String(body['id_token']))).toMatchObject(claims);
  return claims;
}

const profile = {
  given_name: 'Sam',
  family_name: 'Student',
  middle_name: 'J.',
  nickname: 'Sammy',
  preferred_username: 'sam.student',
  profile: 'https://harbour.example/people/sam',
  website: 'http://sam.example',
  gender: 'diverse',
  birthdate: '2011-04-30',
  zoneinfo: 'Asia/Taipei',
  locale: 'zh-TW',
  updated_at: 1_779_278_400,
  groups: ['7b', 'chess'],
};
const phone = { phone_number: '+886 2 1234 5678', phone_number_verified: true };
const address = { address: { street_address: '1 Quay', locality: 'Harbour', country: 'TW' } };

const identity = { sub: 'sam', org_id: 'harbour', roles: ['student'] };
const ofMember = { name: 'Sam Student', picture: 'https://cdn.example/sam.png' };
const emails = { email: 'sam@example.com', email_verified: true };

const own = (scope: string): ScopeRow => ({
  scope,
  area: 'Contact',
  access: 'read',
  text: `View your ${scope}`,
  audience: 'any',
});

describe('standard claims of the host', () => {
  test.each([
    ['openid', {}],
    ['openid email', emails],
    ['openid profile', { ...ofMember, ...profile }],
    ['openid profile email', { ...ofMember, ...profile, ...emails }],
  ])('are released by %s', async (scope, expected) => {
    await start(() => ({ ...profile, ...phone, ...address }));
    expect(await told(scope)).toEqual({ ...identity, ...expected });
    expect(schools.faults).toEqual([]);
  });

  test.each([
    ['phone', 'openid phone', phone],
    ['phone_number', 'openid phone_number', phone],
    ['address', 'openid address', address],
    ['address', 'openid', {}],
    ['phone', 'openid profile', { ...ofMember, ...profile }],
  ])('phone number and address need an own scope: %s, with %s', async (scope, asked, expected) => {
    const clients = [
      {
        clientId: 'crm',
        clientName: 'CRM',
        redirectUris: [memberApp.redirectUri],
        audience: 'member' as const,
        scopes: ['openid', 'profile', scope],
      },
    ];
    await start(() => ({ ...profile, ...phone, ...address }), { scopes: { own: [own(scope)] }, clients });
    expect(await told(asked, { ...memberApp, id: 'crm' })).toEqual({ ...identity, ...expected });
  });

  test('are not there if they are missing, empty or blank, without a fault', async () => {
    await start(returning({ given_name: undefined, family_name: null, nickname: '', gender: ' \u00a0', groups: [] }));
    expect(await told('openid profile')).toEqual({ ...identity, ...ofMember, groups: [] });
    expect(schools.faults).toEqual([]);
  });

  test('can say name and picture in place of findMember, and an address that is not verified by that', async () => {
    await start(() => ({ name: 'Sam S.', picture: 'https://cdn.example/s.png', email: 'sam@school.example' }));
    expect(await told('openid profile email')).toEqual({
      ...identity,
      name: 'Sam S.',
      picture: 'https://cdn.example/s.png',
      email: 'sam@school.example',
      email_verified: false,
    });
  });

  test.each(
    Object.entries({
      given_name: [1, ['Sam'], {}],
      nickname: [true],
      profile: ['javascript:alert(1)', 'people/sam', 7],
      website: ['data:text/html,x'],
      picture: [{ url: 'https://cdn.example' }],
      birthdate: ['30.4.2011', '2011-13-01', 2011],
      zoneinfo: ['+08:00', 8],
      locale: ['Chinese (Taiwan)', 1],
      updated_at: ['2026-01-01', Date.now(), -1, Number.NaN, new Date(0)],
      groups: ['7b', [7], [''], { '7b': true }],
      email: ['sam', 1],
      email_verified: ['true', 1],
    }).flatMap(([name, values]) => values.map((value, i): [string, number, unknown] => [name, i, value])),
  )('%s of a wrong type is left out, and a fault names it: %i', async (name, _i, value) => {
    await start(returning({ [name]: value, gender: 'diverse' }));
    expect(await told('openid profile email')).toEqual({ ...identity, ...ofMember, ...emails, gender: 'diverse' });
    expect(schools.faults).toEqual([
      {
        message: `claims returned "${name}", which is left out`,
        cause: expect.objectContaining({
          message: expect.stringMatching(RegExp(`^claims\\(\\) returned ${name}: .*; it must be `)),
        }),
      },
    ]);
  });

  test.each([[{ phone_number: 886 }], [{ address: '1 Quay' }], [{ address: { country: 1 } }]])(
    'so is a phone number or address: %j',
    async (value) => {
      const clients = [
        {
          clientId: 'crm',
          clientName: 'CRM',
          redirectUris: [memberApp.redirectUri],
          audience: 'member' as const,
          scopes: ['openid', 'phone', 'address'],
        },
      ];
      await start(returning(value), { scopes: { own: [own('phone'), own('address')] }, clients });
      expect(await told('openid phone address', { ...memberApp, id: 'crm' })).toEqual(identity);
      expect(schools.faults).toHaveLength(1);
    },
  );

  test('discovery lists them where the host adds claims, and no others', async () => {
    const supported = async (): Promise<string[]> =>
      Object(await (await fetch(`${schools.harbour}/.well-known/openid-configuration`)).json()).claims_supported;
    const always = ['sub', 'org_id', 'roles', 'name', 'picture', 'email', 'email_verified'];
    await start(undefined);
    expect(await supported()).toEqual(always);
    await schools.close();
    await start(() => profile);
    expect((await supported()).sort()).toEqual([...always, ...Object.keys(profile)].sort());
    await schools.close();
    await start(() => profile, { scopes: { own: [own('phone'), own('address')] } });
    expect((await supported()).sort()).toEqual(
      [...always, ...Object.keys({ ...profile, ...phone, ...address })].sort(),
    );
  });

  test('a text of the host tells of each on the consent page, where the scope releases it; what has none is left out', async () => {
    const texts = { en: { 'sees.birthdate': 'Your date of birth' } };
    await start(() => ({ birthdate: '2011', gender: 'diverse' }), { pages: { texts } });
    const page = async (scope: string): Promise<string> => {
      const url = authorizeUrl(schools.harbour, webMemberApp, pkce(), { scope: `${scope} account:read` });
      return readPage((await schools.browser('sam').follow(url)).html).text;
    };
    expect(await page('openid profile')).toContain('Your date of birth');
    expect(await page('openid')).not.toContain('Your date of birth');
    expect(await told('openid profile')).toEqual({ ...identity, ...ofMember, birthdate: '2011' });
    expect(schools.faults.map(({ cause }) => String(cause))).toEqual([
      'TypeError: claims() must return only claims with a text; add sees.gender to pages.texts',
    ]);
  });
});
