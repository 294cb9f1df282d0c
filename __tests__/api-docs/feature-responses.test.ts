import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { testClients } from '../helpers/clients.ts';
import { connect, introspect, type JsonResponse, type TestClient, userinfo } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { Asking, Classes, limited, withClasses } from '../features/boundaries/limited-schools.ts';
import { expectDescribed, readText } from './described.ts';
import { type Description, readDescription } from './description.ts';

const quiz: TestClient = {
  id: 'quiz',
  redirectUri: 'https://quiz.example/callback',
  secret: 'quiz-secret',
  scope: 'openid profile email',
};
const bye = 'https://quiz.example/bye';

let schools: Schools;
let description: Description;
beforeAll(async () => {
  const pairwise = {
    clientId: quiz.id,
    clientName: 'Quiz',
    audience: 'member',
    redirectUris: [quiz.redirectUri],
    scopes: ['openid', 'profile', 'email'],
    clientSecret: 'quiz-secret',
    subject: 'pairwise',
    postLogoutRedirectUris: [bye],
  } as const;
  schools = await startSchools({
    campus: {
      ...withClasses(new Classes()),
      clients: [...testClients, pairwise],
      pseudonyms: { key: 'a key of pseudonyms that never changes' },
      logout: { endSession: () => undefined },
    },
  });
  description = await readDescription(schools.harbour);
});
afterAll(() => schools.close());

function expectJsonDescribed(path: string, method: string, response: JsonResponse): void {
  expect(response.status).toBe(200);
  expectDescribed(description, path, method, { ...response, text: JSON.stringify(response.body) });
}

test('pseudonyms: every member of tokens, claims and introspection is described', async () => {
  const tokens = await connect(schools.browser('sam'), schools.harbour, quiz);
  expectJsonDescribed('/api/oauth/token', 'POST', tokens);
  const claims = await userinfo(schools.harbour, tokens.body['access_token']);
  expect(claims.body['subject_type']).toBe('pairwise');
  expectJsonDescribed('/api/oauth/userinfo', 'GET', claims);
  const state = await introspect(schools.harbour, quiz, tokens.body['access_token']);
  expectJsonDescribed('/api/oauth/introspect', 'POST', state);
});

test('boundaries: every member of tokens and introspection is described', async () => {
  const asking = await new Asking(schools.browser('olivia'), schools.harbour).open();
  const tokens = await (await asking.limit(['c1'])).tokens();
  expect(tokens.body['authorization_details']).toHaveLength(1);
  expectJsonDescribed('/api/oauth/token', 'POST', tokens);
  const state = await introspect(schools.harbour, limited, tokens.body['access_token']);
  expect(state.body['authorization_details']).toHaveLength(1);
  expectJsonDescribed('/api/oauth/introspect', 'POST', state);
});

const json = { accept: 'application/json' };
const back = { client_id: quiz.id, post_logout_redirect_uri: bye };

test.each<
  [what: string, method: 'GET' | 'POST' | 'PUT', sent: Record<string, string>, status: number, headers?: HeadersInit]
>([
  ['a page', 'GET', {}, 200],
  ['a redirect', 'GET', back, 303],
  ['a redirect of a form', 'POST', back, 303],
  ['a wrong address', 'GET', { ...back, post_logout_redirect_uri: 'https://other.example' }, 400],
  ['a wrong address, as JSON', 'GET', { ...back, post_logout_redirect_uri: 'https://other.example' }, 400, json],
  ['an unknown application in a form', 'POST', { client_id: 'nobody' }, 400, json],
  ['a form that is too large', 'POST', { state: 'x'.repeat(65 * 1024) }, 413, json],
  ['another method', 'PUT', {}, 405, json],
])('logout: %s is described', async (_what, method, sent, status, headers = {}) => {
  const url = new URL('/oauth/logout', schools.harbour);
  const fields = new URLSearchParams(sent);
  if (method === 'GET') url.search = fields.toString();
  const init = { method, headers, redirect: 'manual', ...(method === 'POST' && { body: fields }) } as const;
  const response = await readText(await fetch(url, init));
  expect(response.status).toBe(status);
  expectDescribed(description, url.pathname, method === 'PUT' ? 'GET' : method, response);
});

test.each(['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state', 'ui_locales'])(
  'logout: %s has the length that is described, and no more',
  async (name) => {
    const parameter = description.paths['/oauth/logout']?.['get']?.parameters?.find((each) => each.name === name);
    const { maxLength = 0 } = parameter?.schema ?? {};
    for (const [length, refusal] of [
      [maxLength, false],
      [maxLength + 1, true],
    ] as const) {
      const query = new URLSearchParams({ [name]: 'x'.repeat(length) }).toString();
      const response = await fetch(`${schools.harbour}/oauth/logout?${query}`, { headers: json, redirect: 'manual' });
      const text = await response.text();
      expect([length, text.includes(`at most ${maxLength} characters`)]).toEqual([length, refusal]);
    }
  },
);
