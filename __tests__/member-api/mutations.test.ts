import { describe, expect, test } from '@jest/globals';
import { AsSam } from './as-sam.ts';
import { post, tokenOf } from './graphql.ts';

const sam = new AsSam();
const { ask } = sam;
const inbox = async (): Promise<unknown> =>
  (
    await ask(
      '{ viewer { notifications { nodes { id readAt } } unreadNotificationCount notificationSubscriptions { topic channel subscribed } } }',
    )
  ).body.data;

const mark = `mutation ($id: ID!) {
  markNotificationRead(id: $id) { notification { id readAt } userErrors { code message } }
}`;
const update = `mutation ($topic: String!, $channel: String!, $subscribed: Boolean!) {
  updateNotificationSubscription(topic: $topic, channel: $channel, subscribed: $subscribed) {
    subscription { topic channel subscribed } userErrors { code message }
  }
}`;

describe('markNotificationRead', () => {
  test('marks one, and returns it', async () => {
    const { body } = await ask(mark, { id: 'harbour-3' });
    expect(body.data).toEqual({
      markNotificationRead: {
        notification: { id: 'harbour-3', readAt: '2031-01-09T09:00:00.000Z' },
        userErrors: [],
      },
    });
    expect(await inbox()).toMatchObject({ viewer: { unreadNotificationCount: 1 } });
  });

  test('leaves the time of one that was read', async () => {
    const { body } = await ask(mark, { id: 'harbour-1' });
    expect(body.data).toMatchObject({ markNotificationRead: { notification: { readAt: '2031-01-04T09:00:00.000Z' } } });
  });

  test.each([
    ['unknown', 'nothing'],
    ['foreign', 'summit-3'],
    ['empty', ''],
  ])('with an %s id is a user error, and nothing changes', async (_what, id) => {
    const before = await inbox();
    const { status, body } = await ask(mark, { id });
    expect([status, body]).toEqual([
      200,
      {
        data: {
          markNotificationRead: {
            notification: null,
            userErrors: [{ code: 'NOT_FOUND', message: 'the inbox has no notification with this id' }],
          },
        },
      },
    ]);
    expect(await inbox()).toEqual(before);
  });
});

test('markAllNotificationsRead marks all of this school, and says how many', async () => {
  const query = 'mutation { markAllNotificationsRead { markedCount userErrors { code } } }';
  expect((await ask(query)).body.data).toEqual({ markAllNotificationsRead: { markedCount: 2, userErrors: [] } });
  expect((await ask(query)).body.data).toMatchObject({ markAllNotificationsRead: { markedCount: 0 } });
  expect(await inbox()).toMatchObject({ viewer: { unreadNotificationCount: 0 } });
  expect(new Set(sam.schools.calls.map(({ site }) => site))).toEqual(new Set(['harbour']));
});

describe('updateNotificationSubscription', () => {
  test('changes one, and returns it', async () => {
    const change = { topic: 'school_news', channel: 'in_app', subscribed: true };
    const { body } = await ask(update, change);
    expect(body.data).toEqual({ updateNotificationSubscription: { subscription: change, userErrors: [] } });
    expect(await inbox()).toMatchObject({ viewer: { notificationSubscriptions: [{}, change] } });
  });

  test.each([
    ['topic', { topic: 'weather', channel: 'email', subscribed: true }],
    ['channel', { topic: 'school_news', channel: 'pigeon', subscribed: true }],
  ])('with an unknown %s is a user error, and nothing changes', async (_what, change) => {
    const before = await inbox();
    const { body } = await ask(update, change);
    expect(body.data).toEqual({
      updateNotificationSubscription: {
        subscription: null,
        userErrors: [{ code: 'NOT_FOUND', message: 'there is no such topic or channel' }],
      },
    });
    expect(await inbox()).toEqual(before);
  });

  test.each([{}, { topic: 'school_news', channel: 'email' }, { topic: 1, channel: 'email', subscribed: true }])(
    'with %j is refused before anything is asked of the host',
    async (variables) => {
      const { body } = await ask(update, variables);
      expect(body.errors?.map(({ extensions }) => extensions)).toContainEqual({ code: 'BAD_USER_INPUT' });
      expect(sam.schools.calls).toEqual([]);
    },
  );
});

test('mutations of one request run one after the other', async () => {
  const { body } = await ask(`mutation {
    one: markNotificationRead(id: "harbour-2") { notification { readAt } }
    rest: markAllNotificationsRead { markedCount }
    none: markAllNotificationsRead { markedCount }
  }`);
  expect(body.data).toMatchObject({ rest: { markedCount: 1 }, none: { markedCount: 0 } });
});

describe('with account:write alone', () => {
  test('a mutation is served, and what a notification says is not', async () => {
    const writer = await tokenOf(sam.schools, sam.schools.harbour, { scope: 'openid account:write' });
    const served = await post(sam.schools.harbour, writer, { query: mark, variables: { id: 'harbour-3' } });
    expect(served.body.errors).toBeUndefined();
    sam.schools.calls.length = 0;
    for (const field of ['title', 'body', 'url']) {
      const query = `mutation { markNotificationRead(id: "harbour-2") { notification { id ${field} } } }`;
      const { status, headers } = await post(sam.schools.harbour, writer, { query });
      expect(status).toBe(403);
      expect(headers.get('www-authenticate')).toMatch(/scope="openid account:write account:read"/);
    }
    expect(sam.schools.calls).toEqual([]);
  });
});
