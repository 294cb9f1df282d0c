import { describe, expect, test } from '@jest/globals';
import { type CampusOptions, InvalidClientMetadata } from '../../lib/index.ts';
import { loopbackClients } from '../../policies/index.ts';
import { authorizeUrl, jsonResponse, pkce, webMemberApp } from '../helpers/flow.ts';
import { expectError } from '../helpers/responses.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

/** What a function of a host in plain JavaScript may return. */
type Returns = () => unknown;

async function inSchools(campus: object, run: (schools: Schools) => Promise<void>): Promise<void> {
  const options: Partial<CampusOptions> = { ...campus };
  const schools = await startSchools({ campus: options });
  try {
    await run(schools);
  } finally {
    await schools.close();
  }
}

/** The faults of the schools: what failed, and why. */
function faultsOf({ faults }: Schools): [string, string][] {
  return faults.map(({ message, cause }) => [message, cause instanceof Error ? cause.message : String(cause)]);
}

const rule = 'it must be { access, ask, roles, scopes, pseudonym, limited, text }, or undefined';

const rules: [string, Returns, string][] = [
  ['true', () => true, `returned true; ${rule}`],
  ['false', () => false, `returned false; ${rule}`],
  ['text', () => 'blocked', `returned a string; ${rule}`],
  ['a list', () => ['courses:read'], `returned an array; ${rule}`],
  [
    'a member that is misspelt',
    () => ({ acces: 'blocked' }),
    'returned acces: "blocked"; it must have no members but access, ask, roles, scopes, pseudonym, limited, text',
  ],
  [
    'a word of another scale',
    () => ({ access: 'ask' }),
    'returned access: "ask"; it must be "allowed", "view_only" or "blocked"',
  ],
  ['one text for scopes', () => ({ scopes: 'openid' }), 'returned scopes: "openid"; it must be an array of scopes'],
  ['rows of scopes', () => ({ scopes: [{ scope: 'openid' }] }), 'returned scopes[0]: an object; it must be a string'],
  [
    'a scope that there is not',
    () => ({ scopes: ['openid', 'courses:raed'] }),
    'returned scopes[1]: "courses:raed"; it must be a scope, as campus.scopes lists them',
  ],
  [
    'one role in place of a list',
    () => ({ roles: 'teacher' }),
    'returned roles: "teacher"; it must be an array of roles',
  ],
  ['a text that is none', () => ({ text: 7 }), 'returned text: 7; it must be a text, or texts by language'],
  ['a promise at use', async () => undefined, "returned a promise, so it must have at: ['connect', 'refresh']"],
];

describe('a policy of access that returns', () => {
  test.each(rules)('%s is a fault that names the policy, and a page: 503', (_what, returned, cause) => {
    const ours: Returns = () => returned();
    return inSchools({ access: [() => undefined, ours] }, async (schools) => {
      const url = authorizeUrl(schools.harbour, webMemberApp, pkce());
      const { response, html } = await schools.browser('sam').follow(url);
      expect(response.status).toBe(503);
      expect(html).toContain('This is not available right now');
      expect(faultsOf(schools)).toContainEqual(['access[1] ours failed', `access[1] ours ${cause}`]);
    });
  });

  test.each<[string, unknown]>([
    ['undefined', () => undefined],
    ['null', () => null],
    ['a promise of null, where it may wait', { at: ['connect', 'refresh'], decide: async () => null }],
    ['nothing that takes something', () => ({ text: { en: 'Hello.' } })],
  ])('%s takes nothing away', (_what, policy) =>
    inSchools({ access: [policy] }, async (schools) => {
      const { response } = await schools.browser('sam').follow(authorizeUrl(schools.harbour, webMemberApp, pkce()));
      expect([response.status, schools.faults]).toEqual([200, []]);
    }),
  );
});

const client = {
  application_type: 'native',
  redirect_uris: ['http://127.0.0.1/callback'],
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code'],
  response_types: ['code'],
  scope: 'openid',
};

const verdictRule = '"known" or "admit"; throw an OAuthError to refuse';

const verdicts: [string, Returns, string][] = [
  ['true', () => true, `returned true; it must be undefined, or an object with the decision ${verdictRule}`],
  ['another decision', () => ({ decision: 'allow' }), `returned decision: "allow"; it must be ${verdictRule}`],
  [
    'an error that it should throw',
    () => new InvalidClientMetadata('no'),
    `returned decision: undefined; it must be ${verdictRule}`,
  ],
  ['a known client without id', () => ({ decision: 'known' }), 'returned clientId: undefined; it must be a string'],
  ['an admission alone', () => ({ decision: 'admit' }), 'returned metadata: undefined; it must be an object'],
  [
    'a redirect URI that is no list',
    () => ({ decision: 'admit', metadata: { ...client, redirect_uris: 'http://127.0.0.1/callback' } }),
    'returned metadata.redirect_uris: "http://127.0.0.1/callback"; it must be an array',
  ],
  [
    'a client with a secret',
    () => ({ decision: 'admit', metadata: { ...client, token_endpoint_auth_method: 'client_secret_post' } }),
    'returned metadata.token_endpoint_auth_method: "client_secret_post"; it must be "none"',
  ],
  [
    'a lifetime of nothing',
    () => ({ decision: 'admit', metadata: client, ttl: 0 }),
    'returned ttl: 0; it must be a whole number of seconds',
  ],
];

describe('a registration policy that returns', () => {
  const register = async ({ harbour }: Schools) =>
    jsonResponse(
      await fetch(`${harbour}/api/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ redirect_uris: client.redirect_uris }),
      }),
    );

  // The second policy would admit it.
  test.each(verdicts)('%s is a fault that names the policy: 503', (_what, decide, cause) =>
    inSchools({ registration: [{ name: 'ours', decide }, loopbackClients()] }, async (schools) => {
      expectError(await register(schools), 503, 'temporarily_unavailable');
      expect(faultsOf(schools)).toEqual([
        ['registration[0] failed', expect.stringContaining(`registration[0] (ours) ${cause}`)],
      ]);
    }),
  );

  test.each<[string, Returns]>([
    ['null leaves it to the next policy', () => null],
    ['null for the lifetime has that of 24 hours', () => ({ decision: 'admit', metadata: client, ttl: null })],
  ])('%s', (_what, decide) =>
    inSchools({ registration: [{ name: 'ours', decide }, loopbackClients()] }, async (schools) => {
      expect([(await register(schools)).status, schools.faults]).toEqual([201, []]);
    }),
  );

  test('a text for its refusal is a fault that names the policy: 503', () =>
    inSchools(
      { registration: [{ name: 'ours', decide: () => undefined, refusal: () => 'not here' }] },
      async (schools) => {
        expectError(await register(schools), 503, 'temporarily_unavailable');
        const what = 'registration[0] (ours).refusal';
        expect(faultsOf(schools)).toEqual([[`${what} failed`, `${what} returned a string; it must be an OAuthError`]]);
      },
    ));
});
