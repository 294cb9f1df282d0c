import type { Store } from '../../lib/records/store.ts';
import { diagnose } from './diagnose.ts';
import { redisLog } from './log.ts';
import { readRedisOptions, type RedisClient, type RedisStoreOptions } from './options.ts';
import { find, redeem, remove, save } from './records.ts';
import { endFamily, removeOne, revoke } from './revocation.ts';
import { consumeQuota } from './scripts/consume-quota.ts';
import { redisCalls } from './session.ts';
import { sweep } from './sweep.ts';
import { RedisTransfer } from './transfer.ts';
import { clientsByUse, countGrants, grantsOf, notExpired } from './use.ts';

export type { RedisClient, RedisStoreOptions } from './options.ts';

/**
 * Returns a store in Redis, over a live ioredis client of a server, a replicated server or a cluster. All keys of a school are in one slot,
 * and writes that belong together are one script. The store never opens, configures or closes the client.
 *
 * @throws TypeError that names a wrong option
 */
export function redisStore(client: RedisClient, options: RedisStoreOptions = {}): Store {
  const settings = readRedisOptions(client, options);
  const { call, series, observe } = redisCalls(client, settings);
  return {
    deadline: settings.deadline / 1000,
    observe,
    find: (siteId, kind, id, wanted) => call(siteId, (session) => find(session, kind, id, wanted)),
    save: (siteId, entry) => call(siteId, (session) => save(session, entry)),
    remove: (siteId, kind, id, text) =>
      call(siteId, async (session) =>
        kind === 'Grant' ? (await removeOne(session, id)).length > 0 : remove(session, kind, id, text),
      ),
    redeem: (siteId, redemption) => call(siteId, (session) => redeem(session, redemption)),
    list: (siteId, kind) =>
      call(siteId, async (session) => texts(await session.command('HVALS', session.keys.listed(kind)))),
    consumeQuota: (siteId, quotas, window, uses = 1) =>
      call(siteId, async (session) => {
        const keys = quotas.map(({ name }) => session.keys.counter(name));
        const args = [window * 1000, uses, ...quotas.map(({ limit }) => limit)];
        const reply = await session.write(consumeQuota, keys, args);
        if (reply === null) return undefined;
        if (typeof reply !== 'number') throw new Error('unexpected reply of the quota script');
        return Math.ceil(reply / 1000);
      }),
    grantIds: (siteId, { memberId }) =>
      call(siteId, async (session) => {
        const names = await session.command('ZREVRANGEBYSCORE', session.keys.member(memberId), '+inf', notExpired());
        return texts(names).map(decodeURIComponent);
      }),
    countGrants: (siteId, grantees) =>
      call(siteId, (session) =>
        countGrants(
          session,
          grantees.map((grantee) => session.keys.grantee(grantee)),
        ),
      ),
    clientsByUse: (siteId, query) => call(siteId, (session) => clientsByUse(session, query)),
    grantsOf: (siteId, query) => call(siteId, (session) => grantsOf(session, query)),
    endFamily: (siteId, grantId, familyId) => call(siteId, (session) => endFamily(session, grantId, familyId)),
    revoke: (siteId, filter, onRemoved = () => undefined) => revoke(series(), { siteId, filter, onRemoved }),
    sweep: (siteId, from, removes) => call(siteId, (session) => sweep(session, client, from, removes)),
    ...redisLog(call, client, settings),
    diagnose: () => diagnose(call, client, settings),
    transfer: () => new RedisTransfer(client, settings.prefix),
    ping: () => call('', async (session) => void (await session.command('GET', session.keys.prefix))),
  };
}

function texts(reply: unknown): string[] {
  if (!Array.isArray(reply)) throw new Error('unexpected reply of Redis');
  return reply.map(String);
}
