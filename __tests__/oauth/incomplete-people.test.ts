import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import type { Member } from '../../lib/index.ts';
import { connect, memberApp, userinfo } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

let schools: Schools;
beforeEach(async () => {
  schools = await startSchools();
});
afterEach(() => schools.close());

/** What only a platform in plain JavaScript can return. */
const anyMember = (change: object): Member => ({ id: 'sam', roles: ['student'], ...change });

interface Told {
  readonly idToken: Record<string, unknown>;
  readonly userinfo: Record<string, unknown>;
}

async function toldOf(person: Member): Promise<Told> {
  schools.people['harbour'] = { [person.id]: person };
  const { body } = await connect(schools.browser(person.id), schools.harbour, memberApp);
  const told = await userinfo(schools.harbour, body['access_token']);
  expect(told.status).toBe(200);
  return { idToken: decodeJwt(String(body['id_token'])), userinfo: told.body };
}

const profile = ['name', 'picture', 'email', 'email_verified'];
const profileIn = (claims: Record<string, unknown>) => profile.filter((name) => name in claims);

const complete = {
  name: 'Sam',
  picture: 'https://cdn.example/sam.png',
  email: 'sam@example.com',
  emailVerified: true,
};

describe.each([
  ['undefined', undefined],
  ['null', null],
  ['empty', ''],
  ['spaces', '  \t\n'],
  ['a no-break space', '\u00a0'],
  ['invisible', '\u200b\u3164\u2060'],
])('what is %s is not there', (_what, value) => {
  test('in any claim: only who the person is at the school is told', async () => {
    const nothing = { name: value, picture: value, email: value, emailVerified: value };
    const told = await toldOf(anyMember(nothing));
    expect(told.userinfo).toEqual({ sub: 'sam', org_id: 'harbour', roles: ['student'] });
    expect(profileIn(told.idToken)).toEqual([]);
    expect(schools.faults).toEqual([]);
  });

  test.each([
    ['name', ['picture', 'email', 'email_verified']],
    ['picture', ['name', 'email', 'email_verified']],
    ['email', ['name', 'picture']],
    ['emailVerified', ['name', 'picture', 'email']],
  ])('as %s, alone', async (member, left) => {
    const told = await toldOf(anyMember({ ...complete, [member]: value }));
    expect([profileIn(told.userinfo), profileIn(told.idToken)].map((names) => names.sort())).toEqual([
      [...left].sort(),
      [...left].sort(),
    ]);
    expect(schools.faults).toEqual([]);
  });
});

test('two pupils without an address have none in common', async () => {
  const [pia, pat] = [
    await toldOf({ id: 'pia', roles: ['student'], name: undefined, email: undefined }),
    await toldOf({ id: 'pat', roles: ['student'], name: null, email: null }),
  ];
  for (const claims of [pia.idToken, pia.userinfo, pat.idToken, pat.userinfo]) expect(profileIn(claims)).toEqual([]);
  expect([pia.idToken['sub'], pat.idToken['sub']]).toEqual(['pia', 'pat']);
});

describe.each([
  ['name', 1, 'name: 1; it must be a string'],
  ['name', ['Sam'], 'name: an array; it must be a string'],
  ['name', false, 'name: false; it must be a string'],
  ['picture', 'javascript:alert(1)', 'picture: "javascript:alert(1)"; it must be the http: or https: address'],
  ['picture', 'data:image/png;base64,AAAA', 'picture: "data:image/png;base64,AAAA"; it must be'],
  ['picture', '/avatars/sam.png', 'picture: "/avatars/sam.png"; it must be'],
  ['picture', { url: 'https://cdn.example/sam.png' }, 'picture: an object; it must be'],
  ['email', 1, 'email: 1; it must be an e-mail address'],
  ['email', 'sam', 'email: "sam"; it must be an e-mail address'],
  ['email', 'sam@example.com\r\nBcc: all', String.raw`email: "sam@example.com\r\nBcc: all"; it must be`],
  ['emailVerified', 'true', 'emailVerified: "true"; it must be true or false'],
  ['emailVerified', 1, 'emailVerified: 1; it must be true or false'],
  ['emailVerified', new Date(0), 'emailVerified: an instance of Date; it must be true or false'],
  ['name', 10n ** 30n, 'name: 1000000000000000000000000000000; it must be'],
  ['email', 'x'.repeat(10_000), `email: "${'x'.repeat(80)}"…; it must be`],
])('a wrong value: %s as %#', (member, value, said) => {
  test('is a fault that names it, once an hour, and is left out', async () => {
    const told = await toldOf(anyMember({ ...complete, [member]: value }));
    const left = profile.filter((name) => !(name === member || (member === 'email' && name === 'email_verified')));
    const expected = member === 'emailVerified' ? ['name', 'picture', 'email'] : left;
    expect(profileIn(told.userinfo)).toEqual(expected);
    expect(profileIn(told.idToken)).toEqual(expected);
    expect(schools.faults).toEqual([
      {
        message: `platform.findMember returned a wrong ${member}, which is left out`,
        cause: expect.objectContaining({
          message: expect.stringContaining(`platform.findMember("sam") returned ${said}`),
        }),
      },
    ]);
  });
});
