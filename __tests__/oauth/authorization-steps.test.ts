import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { authorizationSteps } from '../../lib/engine/authorization-steps.ts';
import { authorizeUrl, type Changes, pkce, webMemberApp } from '../helpers/flow.ts';
import { redirectQuery } from '../helpers/responses.ts';
import { standardScopes } from '../helpers/scopes.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

/** How often the platform was asked who is signed in. */
let asked = 0;
let schools: Schools;
beforeAll(async () => {
  schools = await startSchools({
    wrapPlatform: (platform) => ({
      ...platform,
      signedInMember: (...args) => {
        asked += 1;
        return platform.signedInMember(...args);
      },
    }),
  });
});
beforeEach(() => {
  asked = 0;
});
afterAll(() => schools.close());

async function send(changes: Changes): Promise<Response> {
  return schools.browser('sam').fetch(authorizeUrl(schools.harbour, webMemberApp, pkce(), changes));
}

describe('the steps of an authorization request', () => {
  const steps = authorizationSteps(standardScopes);

  test('have a name and a parameter of their own each', () => {
    expect(new Set(steps.map(({ name }) => name)).size).toBe(steps.length);
    expect(new Set(steps.map(({ parameter }) => parameter)).size).toBe(steps.length);
  });

  test('end with the one that signs in', () => {
    expect(steps.at(-1)?.name).toBe('sign in');
  });

  test.each<[string, Changes, string]>([
    ['limit what is stored', { state: 'x'.repeat(5000) }, 'invalid_request'],
    ['refuse unknown scopes', { scope: 'openid nonsense' }, 'invalid_scope'],
    ['check the challenge', { code_challenge: 'a'.repeat(44) }, 'invalid_request'],
    ['check the age', { max_age: '1e3' }, 'invalid_request'],
  ])(
    '%s: what is wrong is said whoever is signed in, and who that is is asked once, for the event',
    async (_name, changes, error) => {
      expect(redirectQuery(await send(changes), webMemberApp.redirectUri)).toMatchObject({ error });
      expect(asked).toBe(1);
    },
  );

  test('the platform is asked once who is signed in', async () => {
    await send({});
    expect(asked).toBe(1);
  });
});
