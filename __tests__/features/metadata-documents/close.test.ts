import { expect, test } from '@jest/globals';
import { memoryStore } from '../../../adapters/memory/index.ts';
import { setClockAhead } from '../../helpers/clock.ts';
import { authorizeUrl, connect, jsonResponse, pkce, refresh } from '../../helpers/flow.ts';
import { expectError } from '../../helpers/responses.ts';
import { client, documentSchools } from './document-schools.ts';

const { schools, events, start, publish, server } = documentSchools();

/** The server takes the next request and does not answer it. Resolves when it has come, with its end. */
function hang(): Promise<{ readonly ended: Promise<unknown> }> {
  return new Promise((arrived) => {
    server().respond((_request, response) => {
      arrived({ ended: new Promise((ended) => response.once('close', ended)) });
    });
  });
}

const begin = () =>
  schools()
    .browser('olivia')
    .fetch(authorizeUrl(schools().harbour, client, pkce()), { headers: { accept: 'application/json' } });

test('close() ends a fetch that a request waits for: it gets 503, and nothing is said about the document', async () => {
  await start();
  const hanging = hang();
  const response = begin();
  const { ended } = await hanging;
  await schools().campus.close();
  await ended;
  expectError(await jsonResponse(await response), 503, 'temporarily_unavailable');
  expect(events.filter(({ action }) => action.startsWith('document.'))).toEqual([]);
  expect(schools().faults).toEqual([]);
  expectError(await jsonResponse(await begin()), 503, 'temporarily_unavailable');
});

test('close() ends a fetch in the background; connections go on with the copy', async () => {
  publish();
  await start();
  const { body } = await connect(schools().browser('olivia'), schools().harbour, client);
  setClockAhead(31);
  const hanging = hang();
  const refreshed = await refresh(schools().harbour, client, body['refresh_token']);
  const { ended } = await hanging;
  await schools().campus.close();
  await ended;
  const again = await refresh(schools().harbour, client, refreshed.body['refresh_token']);
  expect([refreshed.status, again.status]).toEqual([200, 200]);
  expect(schools().faults).toEqual([]);
});

test('close() waits for what a fetch stores, so that the store can be closed', async () => {
  publish();
  const inner = memoryStore();
  const { promise: saving, resolve: begun } = Promise.withResolvers<void>();
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
  const save: typeof inner.save = async (siteId, entry) => {
    if (entry.kind !== 'Document') return inner.save(siteId, entry);
    begun();
    await mayEnd;
    return inner.save(siteId, entry);
  };
  await start(undefined, { store: { ...inner, save } });
  const response = begin();
  await saving;
  let isClosed = false;
  const closed = schools()
    .campus.close()
    .then(() => (isClosed = true));
  await new Promise(setImmediate);
  expect(isClosed).toBe(false);
  end();
  await closed;
  expect((await response).status).toBe(303);
});
