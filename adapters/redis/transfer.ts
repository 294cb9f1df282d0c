import { isListed, isRecordKind, isToken, type ListedKind } from '../../lib/contracts/record.ts';
import { recordKinds } from '../../lib/contracts/record-kinds.ts';
import type { CopiedRecord, RecordPlace, StoreTransfer } from '../../lib/contracts/transfer.ts';
import { endless, grantLines, readTokenValue } from './format.ts';
import type { RedisClient } from './options.ts';
import { saveGrant } from './scripts/records.ts';

const kinds = Object.keys(recordKinds).filter(isRecordKind);
const kindByLetter = new Map(kinds.map((kind) => [recordKinds[kind].key, kind]));
const kindByList = new Map(kinds.filter(isListed).map((kind) => [recordKinds[kind].list ?? '', kind]));

/** Keys that a server looks at for one page. */
const scanned = 500;

/** Copies records of this Redis to and from other stores. A place is the number of a server and its cursor. */
export function transferOf(client: RedisClient, prefix: string): StoreTransfer {
  const call = (...command: Parameters<RedisClient['call']>): Promise<unknown> => client.call(...command);
  const base = (site: string): string => `${prefix}:{${site}}:`;
  const keyOf = ({ site, kind, name }: RecordPlace): string => `${base(site)}${recordKinds[kind].key}:${name}`;
  const listOf = (site: string, kind: ListedKind): string => `${base(site)}${recordKinds[kind].list ?? ''}`;

  const look = async (place: RecordPlace): Promise<CopiedRecord | undefined> => {
    const { site, kind } = place;
    const key = keyOf(place);
    const [value, left, time, listed] = await Promise.all([
      call('GET', key),
      call('PTTL', key),
      call('TIME'),
      isListed(kind) ? call('HGET', listOf(site, kind), place.name) : undefined,
    ]);
    if (typeof listed === 'string') return { ...place, record: listed, expires: Infinity, listed: true };
    if (typeof value !== 'string') return undefined;
    const now = Array.isArray(time) ? Number(time[0]) + Number(time[1]) / 1e6 : 0;
    const expires = Number(left) < 0 ? Infinity : now + Number(left) / 1000;
    if (kind === 'Grant') return { ...place, expires, ...grantOf(value, now) };
    if (!isToken(kind)) return { ...place, record: value, expires, listed: false };
    const { grant, family, epoch, found } = readTokenValue(kind, value);
    const owner = await call('GET', keyOf({ site, kind: 'Grant', name: grant }));
    const of = typeof owner === 'string' ? grantOf(owner, now) : undefined;
    // What has ended stays in Redis until it expires.
    if (!of?.families.some(({ name }) => name === family) || (epoch ?? of.epoch) !== of.epoch) return undefined;
    return { ...place, record: found.record, expires, grant, family, consumed: found.consumed ?? undefined, epoch };
  };

  const put = async (record: CopiedRecord): Promise<void> => {
    const { site, kind, name, expires } = record;
    const key = keyOf(record);
    if (isListed(kind) && record.listed === true) {
      await call('HSET', listOf(site, kind), name, record.record);
      return void (await call('DEL', key));
    }
    const milliseconds = expires === Infinity ? 0 : Math.max(1, Math.ceil(expires * 1000 - Date.now()));
    if (kind === 'Grant') {
      const head = `${record.member ?? ''} ${record.client ?? ''}`;
      const lists = [`${base(site)}m:${record.member ?? ''}`, `${base(site)}x:${record.client ?? ''}`];
      await call(
        'EVAL',
        saveGrant.text,
        3,
        key,
        ...lists,
        head,
        record.record,
        milliseconds,
        0,
        Number.MAX_SAFE_INTEGER,
      );
      return void (await call('SET', key, grantText(head, record), 'KEEPTTL'));
    }
    const value = isToken(kind) ? tokenText(record) : record.record;
    await call('SET', key, value, ...(milliseconds === 0 ? [] : ['PX', milliseconds]));
  };

  const drop = async (place: RecordPlace): Promise<void> => {
    const { site, kind, name } = place;
    if (kind === 'Grant') {
      const grant = await look(place);
      await call('ZREM', `${base(site)}m:${grant?.member ?? ''}`, name);
      await call('ZREM', `${base(site)}x:${grant?.client ?? ''}`, name);
    }
    if (isListed(kind)) await call('HDEL', listOf(site, kind), name);
    await call('DEL', keyOf(place));
  };

  const placesAt = async (key: string): Promise<RecordPlace[]> => {
    const [, site = '', letter = '', name] = /\{(.*)\}:([a-z])(?::(.*))?$/.exec(key) ?? [];
    const list = kindByList.get(letter);
    if (list && name === undefined) {
      const names = await call('HKEYS', key);
      return Array.isArray(names) ? names.map((each) => ({ site, kind: list, name: String(each) })) : [];
    }
    const kind = kindByLetter.get(letter);
    return kind && name !== undefined ? [{ site, kind, name }] : [];
  };

  const servers = (): readonly Pick<RedisClient, 'call'>[] => client.nodes?.('master') ?? [client];
  return {
    page: async (from) => {
      const [server = 0, cursor = 0] = from.split(' ').map(Number);
      const reply = await servers()[server]?.call('SCAN', cursor, 'MATCH', `${prefix}:{*`, 'COUNT', scanned);
      if (!Array.isArray(reply) || !Array.isArray(reply[1])) throw new Error('unexpected reply of Redis');
      const places = (await Promise.all(reply[1].map((key) => placesAt(String(key))))).flat();
      const records = (await Promise.all(places.map(look))).flatMap((record) => record ?? []);
      const more = server + 1 < servers().length ? `${server + 1} 0` : undefined;
      return { records, next: String(reply[0]) === '0' ? more : `${server} ${String(reply[0])}` };
    },
    look: (places) => Promise.all(places.map(look)),
    put: async (records) => void (await Promise.all(records.map(put))),
    drop: async (places) => void (await Promise.all(places.map(drop))),
  };
}

/** What a grant's value says, with its live families. */
function grantOf(value: string, now: number) {
  const { member, client, epoch, families, record } = grantLines(value);
  const all = families
    .split(',')
    .filter(Boolean)
    .map((text) => {
      const [name = '', last, refresh] = text.split('=');
      return { name, expires: timeOf(last) ?? 0, refreshUntil: timeOf(refresh) };
    });
  return { member, client, epoch, record, families: all.filter(({ expires }) => expires > now) };
}

function timeOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text) === endless ? Infinity : Number(text);
}

function seconds(time: number): number {
  return Math.min(endless, Math.ceil(time));
}

function grantText(head: string, { families = [], epoch = 0, record }: CopiedRecord): string {
  const list = families.map(({ name, expires, refreshUntil }) =>
    [name, seconds(expires), ...(refreshUntil === undefined ? [] : [seconds(refreshUntil)])].join('='),
  );
  return `${head}${epoch > 0 ? ` ${epoch}` : ''}\n${list.join(',')}\n${record}`;
}

function tokenText({ grant = '', family = '', consumed, epoch = 0, record }: CopiedRecord): string {
  const word = consumed === undefined ? (epoch > 0 ? ` ${epoch}` : '') : ` ${consumed}.copied`;
  return `${grant} ${family}${word}\n${record}`;
}
