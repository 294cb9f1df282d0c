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

const consentRule = 'it must be undefined, or an object with the decision "allow", "narrow" or "deny"';

const consents: [string, Returns, string][] = [
  ['null', () => null, `returned null; ${consentRule}`],
  ['a promise of null', async () => null, `returned null; ${consentRule}`],
  ['true', () => true, `returned true; ${consentRule}`],
  ['false', () => false, `returned false; ${consentRule}`],
  ['text', () => 'deny', `returned a string; ${consentRule}`],
  ['a list', () => ['courses:read'], `returned an array; ${consentRule}`],
  ['a class', () => new Map(), `returned decision: undefined; it must be "allow", "narrow" or "deny"`],
  [
    'another decision',
    () => ({ decision: 'denied' }),
    'returned decision: "denied"; it must be "allow", "narrow" or "deny"',
  ],
  [
    'a promise of it',
    async () => ({ decision: 'denied' }),
    'returned decision: "denied"; it must be "allow", "narrow" or "deny"',
  ],
  [
    'a narrowing without scopes',
    () => ({ decision: 'narrow' }),
    'returned scopes: undefined; it must be an array of scopes',
  ],
  [
    'a narrowing to one text',
    () => ({ decision: 'narrow', scopes: 'openid profile' }),
    'returned scopes: "openid profile"; it must be an array of scopes',
  ],
  [
    'a narrowing to rows of scopes',
    () => ({ decision: 'narrow', scopes: [{ scope: 'openid' }] }),
    'returned scopes[0]: an object; it must be a string',
  ],
  [
    'a narrowing to a scope that there is not',
    () => ({ decision: 'narrow', scopes: ['openid', 'courses:raed'] }),
    'returned scopes[1]: "courses:raed"; it must be a scope, as campus.scopes lists them',
  ],
  [
    'an unknown member',
    () => ({ decision: 'narrow', scopes: ['openid'], reason: 'Not here.' }),
    'returned reason: "Not here."; it must have no members but decision, scopes, text',
  ],
  [
    'a member of another verdict',
    () => ({ decision: 'allow', scopes: ['openid'] }),
    'returned scopes: an array; it must have no members but decision',
  ],
  [
    'a text that is none',
    () => ({ decision: 'deny', text: { en: 'No.' } }),
    'returned text: an object; it must be a string',
  ],
];

describe('a consent policy that returns', () => {
  test.each(consents)('%s is a fault that names the policy, and a page: 503', (_what, returned, cause) => {
    const ours: Returns = () => returned();
    return inSchools({ consent: [() => undefined, ours] }, async (schools) => {
      const url = authorizeUrl(schools.harbour, webMemberApp, pkce());
      const { response, html } = await schools.browser('sam').follow(url);
      expect(response.status).toBe(503);
      expect(html).toContain('This is not available right now');
      expect(faultsOf(schools)).toEqual([['consent[1] failed', `consent[1] (ours) ${cause}`]]);
    });
  });

  test.each<[string, Returns]>([
    ['undefined', () => undefined],
    ['a verdict with null for its text', () => ({ decision: 'narrow', scopes: ['openid'], text: null })],
  ])('%s has no opinion', (_what, returned) =>
    inSchools({ consent: [returned] }, async (schools) => {
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
