import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type BareStore, grant, startBareStore, token } from './bare-store.ts';

let bare: BareStore;
beforeAll(async () => {
  bare = await startBareStore();
});
afterAll(() => bare.close());

/** The number of calls of each command, those of scripts included. */
async function commandsOf(work: () => Promise<unknown>): Promise<Record<string, number>> {
  await bare.client.config('RESETSTAT');
  await work();
  const lines = (await bare.client.info('commandstats')).matchAll(/cmdstat_([a-z|]+):calls=(\d+)/g);
  return Object.fromEntries([...lines].map(([, name = '', calls]) => [name, Number(calls)]));
}

/** A grant with a family that has this many live access tokens, and as many grants of other members to other clients. */
async function fill(size: number): Promise<void> {
  await bare.client.flushall();
  const { store } = bare;
  await store.save('school', grant('g', 600));
  await store.save('school', token('RefreshToken', 'r', 'g', 600, 'other'));
  // Fewer at once than may wait for a reply (`maxPending`).
  for (let from = 0; from < size; from += 200) {
    await Promise.all(
      Array.from({ length: Math.min(200, size - from) }, async (_, i) => {
        await store.save('school', token('AccessToken', `${from + i}`, 'g', 600));
        await store.save('school', grant(`g${from + i}`, 600, `member ${from + i}`, `client ${from + i}`));
      }),
    );
  }
}

test.each<[string, () => Promise<unknown>]>([
  ['one revocation of a grant', () => bare.store.revoke('school', { memberId: 'sam', grantId: 'g' })],
  ['the revocation of all grants of a member', () => bare.store.revoke('school', { memberId: 'sam' })],
  ['the revocation of all grants to a client', () => bare.store.revoke('school', { clientId: 'app' })],
  ['the end of one family', () => bare.store.endFamily('school', 'g', 'f')],
  ['the end of all access tokens', () => bare.store.save('school', { ...grant('g', 600), endsAccessTokens: true })],
  ['the number of grants to a client', () => bare.store.countGrants('school', [{ clientId: 'app' }])],
])('%s takes the same commands, however many tokens it has and grants there are', async (_name, work) => {
  await fill(1);
  // From here on the server has the script.
  await work();
  await fill(1);
  const few = await commandsOf(work);
  await fill(2000);
  const many = await commandsOf(work);
  expect(many).toEqual(few);
  expect(Object.keys(many)).not.toContain('keys');
  expect(Object.keys(many)).not.toContain('scan');
});
