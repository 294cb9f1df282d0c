import { expect, test } from '@jest/globals';
import { memoryStore } from '../../../adapters/memory/index.ts';
import { decisionId } from '../../../lib/core/decisions/school-records.ts';
import type { Store } from '../../../lib/store.ts';
import { setClockAhead } from '../../helpers/clock.ts';
import { authorizeUrl, connect, introspect, pkce, refresh, userinfo } from '../../helpers/flow.ts';
import { client, clientId, documentSchools } from './document-schools.ts';

// Decisions that the release before has written are in a place of their own. Both releases run for a while.

const { schools, start, publish } = documentSchools();

/** What is read from now on, by kind. */
async function startCounted(): Promise<{ readonly store: Store; readonly reads: string[] }> {
  const memory = memoryStore();
  const reads: string[] = [];
  const find: Store['find'] = (siteId, kind, ...rest) => {
    reads.push(kind);
    return memory.find(siteId, kind, ...rest);
  };
  publish();
  await start(undefined, { store: { ...memory, find } });
  return { store: memory, reads };
}

const rejected = { v: 1, client_id: clientId, at: 1_700_000_000, decision: 'rejected' };
const reject = (store: Store): Promise<boolean> =>
  store.save('harbour', {
    kind: 'DocumentReview',
    id: decisionId(clientId),
    record: JSON.stringify(rejected),
    listed: true,
  });

test('where nothing is decided, a token of a document is verified, introspected and refreshed with as many reads as in the release before', async () => {
  const { reads } = await startCounted();
  const { body } = await connect(schools().browser('olivia'), schools().harbour, client);
  const during = async (operation: () => Promise<{ readonly status: number }>): Promise<string[]> => {
    reads.splice(0);
    expect((await operation()).status).toBe(200);
    return reads.toSorted();
  };
  const token = body['access_token'];
  // It had `DocumentReview` in place of a `ProgramRule`, and of two at a refresh.
  expect(await during(() => userinfo(schools().harbour, token))).toEqual(['AccessToken', 'Document', 'ProgramRule']);
  expect(await during(() => introspect(schools().harbour, client, token))).toEqual([
    'AccessToken',
    'Document',
    'ProgramRule',
  ]);
  expect(await during(() => refresh(schools().harbour, client, body['refresh_token']))).toEqual([
    'Document',
    'Document',
    'ProgramRule',
    'ProgramRule',
    'ProgramRule',
    'RefreshToken',
  ]);
});

test('what a process of the release before rejects, nobody connects from then on, and its tokens are refused within a minute', async () => {
  const { store } = await startCounted();
  const { body } = await connect(schools().browser('olivia'), schools().harbour, client);
  await reject(store);
  const asked = await schools()
    .browser('oscar')
    .follow(authorizeUrl(schools().harbour, client, pkce()));
  expect(asked.response.status).toBe(403);
  expect((await userinfo(schools().harbour, body['access_token'])).status).toBe(401);
});

test('without anybody who asks for it, after a minute', async () => {
  const { store } = await startCounted();
  const { body } = await connect(schools().browser('olivia'), schools().harbour, client);
  await reject(store);
  setClockAhead(61);
  expect((await userinfo(schools().harbour, body['access_token'])).status).toBe(401);
});
