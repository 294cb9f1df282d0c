import assert from 'node:assert/strict';
import { connect, reports, webMemberApp } from '../../helpers/flow.ts';
import { type GraphqlResult, post } from '../../member-api/graphql.ts';
import { viewerOf, viewerToken, withData } from '../member-probes.ts';
import { assertChallenge, assertError, text } from '../probes.ts';
import type { Row, RowSchools } from '../row.ts';

const section = 'Endpoints: Member API';
const missing = 'Authentication: Anonymous and missing tokens';
const viewer = { query: '{ viewer { id } }' };

async function assertRefused(
  { status, headers, body }: GraphqlResult,
  origin: string,
  [expected, error]: readonly [status: number, error: string],
): Promise<void> {
  const response = { status, headers, body: { ...body } };
  assertError(response, error, expected);
  await assertChallenge(response, origin, error, '/member/graphql');
}

/** A mutation: refused without its scope, and executed with it. */
function mutation(id: string, name: string, call: string, selection: string, done: unknown): Row {
  return {
    id,
    section: `${section}, ${name}`,
    sentence: 'MUST require `account:write`',
    check: async (context) => {
      const schools = await withData(context);
      const same = { start: async (): Promise<RowSchools> => schools };
      const query = `mutation { ${call} ${selection} }`;
      const reader = await viewerToken(same, 'openid account:read');
      await assertRefused(await post(schools.harbour, reader.token, { query }), schools.harbour, [
        403,
        'insufficient_scope',
      ]);
      const writer = await viewerToken(same);
      assert.deepEqual((await post(schools.harbour, writer.token, { query })).body, { data: { [name]: done } });
    },
  };
}

/** The Member API and the requests that it refuses. */
export const memberApiRows: readonly Row[] = [
  {
    id: '7b53',
    section: 'What the service does 3',
    sentence: 'MUST offer the Member API as GraphQL at /member/graphql',
    check: async (context) => {
      const schools = await withData(context);
      for (const origin of [schools.harbour, schools.summit]) {
        const { body } = await connect(schools.browser('sam'), origin, webMemberApp);
        assert.deepEqual(await viewerOf(origin, text(body['access_token']), '{ __typename id }'), {
          __typename: 'Viewer',
          id: 'sam',
        });
      }
    },
  },
  {
    id: 'eb25',
    section,
    sentence:
      'MUST accept POST with a bearer token and JSON with the string `query`, and respond with a GraphQL result',
    check: async (context) => {
      const { harbour, token } = await viewerToken(context);
      const { status, headers, body } = await post(harbour, token, viewer);
      assert.deepEqual([status, body], [200, { data: { viewer: { id: 'sam' } } }]);
      assert.match(headers.get('content-type') ?? '', /^application\/json/);
      assert.equal((await post(harbour, token, { query: 1 })).status, 400);
      assert.equal((await post(harbour, token, viewer, { 'content-type': 'text/plain' })).status, 415);
      const get = await fetch(`${harbour}/member/graphql?query={viewer{id}}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      assert.deepEqual([get.status, get.headers.get('allow')], [405, 'POST, OPTIONS']);
    },
  },
  mutation('13fe', 'markNotificationRead', 'markNotificationRead(id: "harbour-3")', '{ notification { id readAt } }', {
    notification: { id: 'harbour-3', readAt: '2031-01-09T09:00:00.000Z' },
  }),
  mutation('9d5e', 'markAllNotificationsRead', 'markAllNotificationsRead', '{ markedCount }', { markedCount: 2 }),
  mutation(
    '3648',
    'updateNotificationSubscription',
    'updateNotificationSubscription(topic: "school_news", channel: "in_app", subscribed: true)',
    '{ subscription { topic subscribed } }',
    { subscription: { topic: 'school_news', subscribed: true } },
  ),
  {
    id: '6831',
    section: 'Endpoints: Admin API',
    sentence: 'MUST use tokens that are also accepted at /member/graphql',
    check: async (context) => {
      const { harbour, browser } = await withData(context);
      const { body } = await connect(browser('olivia'), harbour, reports);
      assert.deepEqual(await viewerOf(harbour, text(body['access_token']), '{ id }'), { id: 'olivia' });
    },
  },
  {
    id: '5746',
    section: 'Authentication: Audience binding 2',
    sentence:
      'MUST respond with 401 `invalid_token` at /member/graphql to a token for another origin, with a pointer to the resource metadata',
    check: async (context) => {
      const { summit, token } = await viewerToken(context);
      await assertRefused(await post(summit, token, viewer), summit, [401, 'invalid_token']);
    },
  },
  {
    id: '2026',
    section: `${missing} 2`,
    sentence: 'MUST respond with 401 `invalid_token` at /member/graphql to a request without a token',
    check: async (context) => {
      const { harbour } = await withData(context);
      await assertRefused(await post(harbour, undefined, viewer), harbour, [401, 'invalid_token']);
    },
  },
  {
    id: '4f00',
    section: `${missing} 3`,
    sentence:
      'MUST respond with 401 and 403 at /member/graphql to invalid tokens and missing scopes, with `WWW-Authenticate`',
    check: async (context) => {
      const { harbour, token } = await viewerToken(context, 'openid');
      for (const bad of ['unknown', 'two words', `${token}x`]) {
        await assertRefused(await post(harbour, bad, viewer), harbour, [401, 'invalid_token']);
      }
      const query = '{ viewer { unreadNotificationCount } }';
      await assertRefused(await post(harbour, token, { query }), harbour, [403, 'insufficient_scope']);
    },
  },
  {
    id: 'a877',
    section: 'Errors, 401 invalid_token',
    sentence: 'MUST be returned for a missing token at /member/graphql',
    check: async (context) => {
      const { harbour } = await withData(context);
      for (const body of [viewer, { query: '{' }, [], 'no JSON']) {
        await assertRefused(await post(harbour, undefined, body), harbour, [401, 'invalid_token']);
      }
    },
  },
];
