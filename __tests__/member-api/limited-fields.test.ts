import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createCampus } from '../../lib/index.ts';
import { memberApi, type MemberApiOptions } from '../../lib/member/index.ts';
import { fakePlatform } from '../../lib/testing/fake-platform.ts';
import { memoryStore } from '../../adapters/memory/index.ts';
import { Asking, Classes, withClasses } from '../features/boundaries/limited-schools.ts';
import { jsonResponse } from '../helpers/flow.ts';
import { signingKey } from '../helpers/keys.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

const api = {
  typeDefs: `
    extend type Viewer {
      classes: [String!]! @requiresScopes(scopes: ["courses:read"], honours: ["class"])
      everything: [String!]! @requiresScopes(scopes: ["courses:read"])
      orders: [String!]! @requiresScopes(scopes: ["orders:read"])
    }`,
  resolvers: {
    Viewer: {
      classes: (_viewer, _args, { token }) => token.limitTo('class') ?? ['all'],
      everything: () => ['c1', 'c2'],
      orders: (_viewer, _args, { token }) => token.scopes,
    },
  },
} satisfies MemberApiOptions;

let schools: Schools;
let token: string;
beforeAll(async () => {
  schools = await startSchools({ campus: withClasses(new Classes()), memberApi: api });
  const asking = await new Asking(schools.browser('olivia'), schools.harbour).open();
  token = String((await (await asking.limit(['c7'])).tokens()).body['access_token']);
});
afterAll(() => schools.close());

async function ask(query: string) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify({ query }) };
  return jsonResponse(await fetch(`${schools.harbour}/member/graphql`, init));
}

test('a field that honours a limit is served within it, and one that does not is refused without a scope to ask for', async () => {
  expect((await ask('{ viewer { classes orders } }')).body['data']).toEqual({
    viewer: { classes: ['c7'], orders: ['openid', 'orders:read'] },
  });
  for (const query of [
    '{ viewer { everything } }',
    '{ viewer { classes everything } }',
    '{ viewer { ...f } } fragment f on Viewer { everything }',
  ]) {
    const { status, headers } = await ask(query);
    expect(status).toBe(403);
    expect(headers.get('www-authenticate')).toContain('insufficient_scope');
    expect(headers.get('www-authenticate')).not.toContain(' scope=');
  }
});

describe('with boundaries', () => {
  const create = async (options: MemberApiOptions) =>
    createCampus({
      platform: fakePlatform({ schools: [], people: {} }),
      store: memoryStore(),
      keys: { signing: [await signingKey('k')], cookies: ['a secret of the tests'] },
      boundaries: [new Classes().boundary],
      memberApi: memberApi(options),
    });
  const open = { typeDefs: 'extend type Viewer { house: String }', resolvers: { Viewer: { house: () => 'red' } } };

  test('a field that needs no scope is refused at startup, and the message says what to do', async () => {
    await expect(create(open)).rejects.toThrow(
      'memberApi must not serve Viewer.house without a scope if boundaries is set; add @requiresScopes(scopes: […], honours: […]) to the field or its type, or list it in memberApi.unlimited if it does not show Classes',
    );
    await expect(create({ ...open, unlimited: ['Viewer.house'] })).resolves.toBeDefined();
    await expect(create({ ...open, unlimited: ['Viewer.hous'] })).rejects.toThrow(
      /memberApi.unlimited must have fields that need no scope \(.*Viewer.house.*\), not Viewer.hous/,
    );
  });

  test('a type whose fields all need a scope opens nothing', async () => {
    const guarded = {
      typeDefs: `extend type Viewer { room: Room }
        type Room @requiresScopes(scopes: ["courses:read"], honours: ["class"]) { name: String }`,
      resolvers: { Viewer: { room: () => ({ name: 'a' }) } },
    };
    await expect(create(guarded)).resolves.toBeDefined();
    await expect(create({ ...guarded, typeDefs: guarded.typeDefs.replace('"class"', '"clas"') })).rejects.toThrow(
      'memberApi.typeDefs: honours of Room must have types of the option boundaries (class), not "clas"',
    );
  });
});
