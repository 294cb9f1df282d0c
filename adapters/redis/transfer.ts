import { hidesId } from '../../lib/records/grantee.ts';
import { isListed, isToken, lineId, lineOf, siteIdOf } from '../../lib/records/record.ts';
import type { CopiedPage, CopiedRecord, LogSchools, RecordPlace, StoreTransfer } from '../../lib/records/store-copy.ts';
import { endless, grantLines, readTokenValue, RedisKeys } from './format.ts';
import type { Argument, RedisClient } from './options.ts';
import { partsOf, scan } from './scan.ts';
import type { Script } from './scripts/lua.ts';
import { saveGrant } from './scripts/records.ts';
import { removeGrants } from './scripts/revocation.ts';

/** Copies records of this Redis to and from other stores. */
export class RedisTransfer implements StoreTransfer {
  readonly #client: RedisClient;
  readonly #prefix: string;

  constructor(client: RedisClient, prefix: string) {
    this.#client = client;
    this.#prefix = prefix;
  }

  async page(from: string): Promise<CopiedPage> {
    const { keys, next } = await scan(this.#client, `${this.#prefix}:{`, from);
    const places = await Promise.all(keys.map((key) => this.#placesAt(key)));
    const records = await this.look(places.flat());
    return { records: records.flatMap((record) => record ?? []), next };
  }

  look(places: readonly RecordPlace[]): Promise<(CopiedRecord | undefined)[]> {
    return Promise.all(places.map(({ site, kind, name }) => this.#find({ site, kind, name })));
  }

  async put(records: readonly CopiedRecord[]): Promise<void> {
    await Promise.all(records.map((record) => this.#write(record)));
  }

  async drop(places: readonly RecordPlace[]): Promise<void> {
    await Promise.all(places.map((place) => this.#remove(place)));
  }

  async logSchools(from: string): Promise<LogSchools> {
    const { keys, next } = await scan(this.#client, `${this.#prefix}:{`, from, '*}:L:i');
    return { siteIds: keys.map((key) => siteIdOf(partsOf(key).site)), next };
  }

  async #find(place: RecordPlace): Promise<CopiedRecord | undefined> {
    const { kind, name } = place;
    const keys = this.#keysOf(place);
    const key = keys.named(kind, name);
    const [value, left, time, listed] = await Promise.all([
      this.#client.call('GET', key),
      this.#client.call('PTTL', key),
      this.#client.call('TIME'),
      isListed(kind) ? this.#client.call('HGET', keys.listed(kind), name) : undefined,
    ]);
    if (typeof listed === 'string') return { ...place, record: listed, expires: Infinity, listed: true };
    if (typeof value !== 'string') return undefined;
    const now = Array.isArray(time) ? Number(time[0]) + Number(time[1]) / 1e6 : 0;
    const expires = Number(left) < 0 ? Infinity : now + Number(left) / 1000;
    if (kind === 'Grant') {
      const grant = grantOf(value, now);
      const counted = grant.app ?? grant.client;
      const hiddenId = hidesId(counted) ? await this.#client.call('GET', keys.idOf(counted)) : undefined;
      return { ...place, expires, ...grant, hiddenId: typeof hiddenId === 'string' ? hiddenId : undefined };
    }
    if (!isToken(kind)) return { ...place, record: value, expires, listed: false };
    const { grant, family, epoch, live, found } = readTokenValue(kind, value);
    // What is asked for is the live token of the line, or no line.
    if (live !== lineOf(kind, name)?.token) return undefined;
    const owner = await this.#client.call('GET', keys.named('Grant', grant));
    const of = typeof owner === 'string' ? grantOf(owner, now) : undefined;
    // What has ended stays in Redis until it expires.
    if (!of?.families.some((its) => its.name === family) || (epoch ?? of.epoch) !== of.epoch) return undefined;
    return { ...place, record: found.record, expires, grant, family, consumed: found.consumed ?? undefined, epoch };
  }

  async #write(record: CopiedRecord): Promise<void> {
    const { kind, name, expires, client = '', app, hiddenId } = record;
    const keys = this.#keysOf(record);
    const key = keys.named(kind, name);
    const last = expires === Infinity ? [] : ['PXAT', Math.ceil(expires * 1000)];
    if (kind === 'Grant') {
      const head = headOf(record);
      const left = expires === Infinity ? 0 : Math.max(1, Math.ceil(expires * 1000 - Date.now()));
      const args = [head, record.record, left, 0, hiddenId ?? ''];
      const ids = hiddenId === undefined ? [] : [keys.idOf(app ?? client)];
      await this.#run(saveGrant, [key, keys.use, ...keys.lists(head), ...ids], args);
      await this.#client.call('SET', key, grantText(head, record), ...last);
      return;
    }
    const isInList = isListed(kind) && record.listed === true;
    if (isInList) await this.#client.call('HSET', keys.listed(kind), name, record.record);
    else if (isListed(kind)) await this.#client.call('HDEL', keys.listed(kind), name);
    const value = isToken(kind) ? tokenText(record) : record.record;
    if (isInList) await this.#client.call('DEL', key);
    else await this.#client.call('SET', key, value, ...last);
  }

  async #remove(place: RecordPlace): Promise<void> {
    const { kind, name } = place;
    const keys = this.#keysOf(place);
    if (kind === 'Grant') {
      const grant = await this.#find(place);
      const lists = grant ? keys.lists(headOf(grant)) : [];
      if (grant) await this.#run(removeGrants, [keys.use, keys.named(kind, name), ...lists], [lists.length]);
      return;
    }
    if (isListed(kind)) await this.#client.call('HDEL', keys.listed(kind), name);
    // A line that has another live token by now stays.
    if (lineOf(kind, name) && !(await this.#find(place))) return;
    await this.#client.call('DEL', keys.named(kind, name));
  }

  /** Runs a script that writes, however late. */
  #run({ text }: Script, keys: readonly string[], args: readonly Argument[]): Promise<unknown> {
    return this.#client.call('EVAL', text, keys.length, ...keys, ...args, Number.MAX_SAFE_INTEGER);
  }

  async #placesAt(key: string): Promise<RecordPlace[]> {
    const { site, record, list } = partsOf(key);
    if (record?.name.startsWith('=')) return this.#liveAt(key, { site, ...record });
    if (!list) return record ? [{ site, ...record }] : [];
    const names = await this.#client.call('HKEYS', key);
    return Array.isArray(names) ? names.map((each) => ({ site, kind: list, name: String(each) })) : [];
  }

  /** A line is copied under the id of its live token: a store that keeps a record for each id finds that too. */
  async #liveAt(key: string, place: RecordPlace): Promise<RecordPlace[]> {
    const value = await this.#client.call('GET', key);
    const { live } = typeof value === 'string' ? readTokenValue('RefreshToken', value) : {};
    return live ? [{ ...place, name: lineId(place.name.slice(1), live) }] : [];
  }

  #keysOf({ site }: RecordPlace): RedisKeys {
    return new RedisKeys(this.#prefix, site);
  }
}

/** What a grant's value says, with its live families. */
function grantOf(value: string, now: number) {
  const { member, client, app, epoch, families, record } = grantLines(value);
  const all = families
    .split(',')
    .filter(Boolean)
    .map((text) => {
      const [name = '', last, refresh] = text.split('=');
      return { name, expires: timeOf(last) ?? 0, refreshUntil: timeOf(refresh) };
    });
  return { member, client, app, epoch, record, families: all.filter(({ expires }) => expires > now) };
}

/** The first line of a grant, without its epoch. */
function headOf({ member = '', client = '', app = '' }: CopiedRecord): string {
  return `${member} ${client}${app}`;
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

function tokenText({ kind, name, grant = '', family = '', consumed, epoch = 0, record }: CopiedRecord): string {
  const line = lineOf(kind, name);
  const mark = consumed === undefined ? (epoch > 0 ? ` ${epoch}` : '') : ` ${consumed}.copied`;
  const word = line ? ` ~${line.token}` : mark;
  return `${grant} ${family}${word}\n${record}`;
}
