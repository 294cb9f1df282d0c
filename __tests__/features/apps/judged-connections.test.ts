import { afterEach, expect, jest, test } from '@jest/globals';
import { memoryStore } from '../../../adapters/memory/index.ts';
import { type JudgedConnection, judgedConnections } from '../../../lib/features/apps/domain/judged-connections.ts';
import type { HostPlatform } from '../../../lib/host/checked-platform.ts';
import { grantIdOf } from '../../../lib/records/codec.ts';
import { recordStore } from '../../../lib/records/record-store.ts';
import { harbourSite } from '../../helpers/sites.ts';

afterEach(() => {
  jest.useRealTimers();
});

const never = (): never => {
  throw new Error('a connection that has ended is not judged');
};

test('people are looked up 20 at a time for two seconds, and who is late is not judged', async () => {
  const store = memoryStore();
  const clientId = 'member-app';
  for (let i = 0; i < 45; i += 1) {
    const memberId = `member-${i}`;
    const id = grantIdOf(memberId, clientId);
    await store.save('harbour', { kind: 'Grant', id, record: '{}', ttl: 1000 - i, memberId, clientId, replaces: null });
  }
  let asked = 0;
  const secondStep = Promise.withResolvers<void>();
  const findMember = (): Promise<undefined> => {
    asked += 1;
    if (asked === 40) secondStep.resolve();
    return asked <= 20 ? Promise.resolve(undefined) : new Promise(() => {});
  };
  const platform: Pick<HostPlatform, 'findMember'> = { findMember };
  const access = { permissionAtRefresh: never, lookUps: never };
  const records = { ...recordStore(store, () => {}), find: async () => undefined };
  const options = { store: records, platform, access, findClient: async () => undefined };
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'performance', 'Date'] });
  const steps: (readonly JudgedConnection[])[] = [];
  const walked = (async () => {
    const question = { clientIds: [clientId], isJudged: true };
    for await (const some of judgedConnections(options, harbourSite(), question)) steps.push(some);
  })();
  // A store on a server answers in its own time.
  await secondStep.promise;
  await jest.advanceTimersByTimeAsync(1999);
  expect([steps.map(({ length }) => length), asked]).toEqual([[20], 40]);
  await jest.advanceTimersByTimeAsync(1);
  await walked;
  expect([steps.map(({ length }) => length), asked]).toEqual([[20, 20, 5], 40]);
  expect(steps.map((some) => some.filter(({ found }) => found).length)).toEqual([20, 0, 0]);
}, 10_000);
