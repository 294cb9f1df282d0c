import type { Entry, Found, RecordKind, Store } from '../../lib/contracts/store.ts';
import type { RedisClient } from './client.ts';
import { nameOf, type SiteKeys, siteKeys, tagOf } from './keys.ts';
import { readRedisOptions, type RedisStoreOptions } from './options.ts';
import { runRedemption, ServerClock } from './redemption.ts';
import { revokeGrants } from './revocation.ts';
import { Runner, type ScriptCall, type Session } from './run.ts';
import { saveClient } from './scripts/save-client.ts';
import { saveGrant } from './scripts/save-grant.ts';
import { saveToken } from './scripts/save-token.ts';
import { consumeQuota } from './scripts/consume-quota.ts';
import { grantHead, lifetime, readGrantValue, readTokenValue, tokenValue } from './values.ts';

export type { Argument, RedisClient, RedisPipeline } from './client.ts';
export type { Durability, RedisStoreOptions } from './options.ts';

/**
 * Stores everything in Redis, over a live ioredis client of a server, a replicated server or a cluster. All keys of a
 * site are in one slot, and writes that belong together are one script. `docs/storage.md` lists the keys and the
 * guarantees. The store never opens, configures or closes the client.
 *
 * @throws TypeError that names a wrong option
 */
export function redisStore(client: RedisClient, options: RedisStoreOptions = {}): Store {
  const { prefix, deadline, durability } = readRedisOptions(client, options);
  const runner = new Runner(client, deadline, durability);
  const clock = new ServerClock();
  const call = <T>(siteId: string, work: (session: Session, keys: SiteKeys) => Promise<T>): Promise<T> =>
    runner.call(async (session) => work(session, siteKeys(prefix, siteId)));
  return {
    find: (siteId, kind, id) => call(siteId, (session, keys) => find(session, keys, kind, id)),
    save: (siteId, entry) => call(siteId, (session, keys) => save(session, keys, entry)),
    remove: async (siteId, kind, id) => {
      // A grant is removed together with its codes and tokens.
      if (kind === 'Grant') await revokeGrants((pass) => call(siteId, pass), { grantId: id });
      else await call(siteId, (session, keys) => remove(session, keys, kind, id));
    },
    redeem: (siteId, redemption) => call(siteId, (session, keys) => runRedemption(session, keys, clock, redemption)),
    listClients: (siteId) => call(siteId, async (session, keys) => texts(await session.command('HVALS', keys.clients))),
    consumeQuota: (siteId, quotas, window) =>
      call(siteId, async (session, keys) => {
        const counters = quotas.map(({ name }) => keys.counter(name));
        const args = [window * 1000, ...quotas.map(({ limit }) => limit)];
        const reply = await session.run({ script: consumeQuota, keys: counters, args });
        if (reply === null) return undefined;
        if (typeof reply !== 'number') throw new Error('unexpected reply of the quota script');
        return Math.ceil(reply / 1000);
      }),
    grantIds: (siteId, { memberId, clientId }) =>
      call(siteId, async (session, keys) => {
        const since = `(${Math.floor(Date.now() / 1000)}`;
        const list = memberId === undefined ? keys.site : keys.member(memberId);
        const entries = texts(await session.command('ZRANGEBYSCORE', list, since, '+inf'));
        const wanted = clientId === undefined ? undefined : tagOf(clientId);
        return entries.flatMap((entry) => {
          const [tag, grant = ''] = entry.split(' ');
          return wanted === undefined || wanted === tag ? decodeURIComponent(grant) : [];
        });
      }),
    revoke: (siteId, filter) => revokeGrants((pass) => call(siteId, pass), filter),
    ping: () => runner.call(async (session) => void (await session.command('PING'))),
  };
}

async function find(session: Session, keys: SiteKeys, kind: RecordKind, id: string): Promise<Found | undefined> {
  const saved = session.command('GET', keys.record(kind, id));
  if (kind === 'Client') {
    const [own, listed] = await Promise.all([saved, session.command('HGET', keys.clients, nameOf(kind, id))]);
    const record = own ?? listed;
    return typeof record === 'string' ? { record } : undefined;
  }
  const value = await saved;
  if (typeof value !== 'string') return undefined;
  if (kind === 'Grant') return readGrantValue(value);
  return isToken(kind) ? readTokenValue(value) : { record: value };
}

async function save(session: Session, keys: SiteKeys, entry: Entry): Promise<void> {
  const { kind, id, record } = entry;
  const milliseconds = lifetime(entry.ttl);
  const script = scriptFor(keys, entry, milliseconds);
  if (script) {
    await session.run(script);
    return;
  }
  const value = isToken(kind) ? tokenValue({ record }) : record;
  await session.command('SET', keys.record(kind, id), value, ...(milliseconds > 0 ? ['PX', milliseconds] : []));
}

/** The script that writes an entry with its links; `undefined` for an entry without links. */
function scriptFor(keys: SiteKeys, entry: Entry, milliseconds: number): ScriptCall | undefined {
  const { kind, id, record, grantId, memberId, clientId, listed = false } = entry;
  const key = keys.record(kind, id);
  if (kind === 'Client') {
    if (listed && entry.ttl !== undefined)
      throw new TypeError('a listed client lives until it is removed; give it no ttl');
    return { script: saveClient, keys: [key, keys.clients], args: [record, milliseconds, listed ? 1 : 0] };
  }
  if (kind === 'Grant') {
    const lists = memberId === undefined ? [keys.site] : [keys.site, keys.member(memberId)];
    const args = [grantHead(memberId, clientId), record, milliseconds];
    return { script: saveGrant, keys: [key, keys.manyTokens(id), ...lists], args };
  }
  if (!isToken(kind) || grantId === undefined) return undefined;
  return {
    script: saveToken,
    keys: [key, keys.record('Grant', grantId), keys.manyTokens(grantId)],
    args: [tokenValue({ record, grantId }), milliseconds],
  };
}

async function remove(session: Session, keys: SiteKeys, kind: RecordKind, id: string): Promise<void> {
  const removed = session.command('DEL', keys.record(kind, id));
  if (kind === 'Client') await Promise.all([removed, session.command('HDEL', keys.clients, nameOf(kind, id))]);
  else await removed;
}

function isToken(kind: RecordKind): boolean {
  return kind === 'AuthorizationCode' || kind === 'AccessToken' || kind === 'RefreshToken';
}

function texts(reply: unknown): string[] {
  if (!Array.isArray(reply)) throw new Error('unexpected reply of Redis');
  return reply.map(String);
}
