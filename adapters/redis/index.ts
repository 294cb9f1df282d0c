import type { GrantFilter, ListedKind, Quota, Store } from '../../lib/contracts/store.ts';
import { tagOf } from './keys.ts';
import { readRedisOptions, type RedisClient, type RedisStoreOptions } from './options.ts';
import { find, remove, save } from './records.ts';
import { redeem, ServerClock } from './redemption.ts';
import { revoke } from './revocation.ts';
import { consumeQuota as quotaScript } from './scripts/consume-quota.ts';
import { redisCalls, type Session } from './session.ts';

export type { Argument, Durability, RedisClient, RedisPipeline, RedisStoreOptions } from './options.ts';

/**
 * Stores everything in Redis, over a live ioredis client of a server, a replicated server or a cluster. All keys of a
 * site are in one slot, and writes that belong together are one script. `docs/storage.md` lists the keys and the
 * guarantees. The store never opens, configures or closes the client.
 *
 * @throws TypeError that names a wrong option
 */
export function redisStore(client: RedisClient, options: RedisStoreOptions = {}): Store {
  const call = redisCalls(client, readRedisOptions(client, options));
  const clock = new ServerClock();
  return {
    find: (siteId, kind, id) => call(siteId, (session) => find(session, kind, id)),
    save: (siteId, entry) => call(siteId, (session) => save(session, entry)),
    remove: async (siteId, kind, id) => {
      // A grant is removed together with its codes and tokens.
      if (kind === 'Grant') await revoke(call, siteId, { grantId: id });
      else await call(siteId, (session) => remove(session, kind, id));
    },
    redeem: (siteId, redemption) => call(siteId, (session) => redeem(session, clock, redemption)),
    list: (siteId, kind) => call(siteId, (session) => listRecords(session, kind)),
    consumeQuota: (siteId, quotas, window) => call(siteId, (session) => consumeQuota(session, quotas, window)),
    grantIds: (siteId, filter) => call(siteId, (session) => grantIds(session, filter)),
    revoke: (siteId, filter) => revoke(call, siteId, filter),
    ping: () => call('', async (session) => void (await session.command('PING'))),
  };
}

async function listRecords(session: Session, kind: ListedKind): Promise<string[]> {
  return texts(await session.command('HVALS', session.keys.listed(kind)));
}

async function consumeQuota(session: Session, quotas: readonly Quota[], window: number): Promise<number | undefined> {
  const keys = quotas.map(({ name }) => session.keys.counter(name));
  const args = [window * 1000, ...quotas.map(({ limit }) => limit)];
  const reply = await session.run({ script: quotaScript, keys, args });
  if (reply === null) return undefined;
  if (typeof reply !== 'number') throw new Error('unexpected reply of the quota script');
  return Math.ceil(reply / 1000);
}

async function grantIds(session: Session, { memberId, clientId }: GrantFilter): Promise<string[]> {
  const list = memberId === undefined ? session.keys.site : session.keys.member(memberId);
  const since = `(${Math.floor(Date.now() / 1000)}`;
  const entries = texts(await session.command('ZRANGEBYSCORE', list, since, '+inf'));
  const wanted = clientId === undefined ? undefined : tagOf(clientId);
  return entries.flatMap((entry) => {
    const [tag, grant = ''] = entry.split(' ');
    return wanted === undefined || wanted === tag ? decodeURIComponent(grant) : [];
  });
}

function texts(reply: unknown): string[] {
  if (!Array.isArray(reply)) throw new Error('unexpected reply of Redis');
  return reply.map(String);
}
