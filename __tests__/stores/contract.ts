import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Entry, Store } from '../../lib/store.ts';
import { quotaContract } from './quota-contract.ts';

const grant = (id: string, memberId = 'sam', clientId = 'app'): Entry => ({
  kind: 'Grant',
  id,
  record: `grant ${id}`,
  ttl: 60,
  memberId,
  clientId,
});
const token = (kind: Entry['kind'], id: string, grantId: string): Entry => ({
  kind,
  id,
  record: `${kind} ${id}`,
  ttl: 60,
  grantId,
});

/** The contract of every store. Each test uses site ids of its own, so that all tests can share one server. */
export function storeContract(open: () => Store): void {
  const site = (): string => `site-${randomUUID()}`;

  describe('save, find and remove', () => {
    test('find returns a record as it was saved; the next save replaces it', async () => {
      const [store, school] = [open(), site()];
      const entry: Entry = { kind: 'Session', id: 'a', record: '{"name":"Zoë"}', ttl: 60 };
      await store.save(school, entry);
      expect(await store.find(school, 'Session', 'a')).toEqual({ record: '{"name":"Zoë"}' });
      await store.save(school, { ...entry, record: 'next' });
      expect((await store.find(school, 'Session', 'a'))?.record).toBe('next');
    });

    test.each([' ', 'a b', 'line\nline\r', '\u0001\u0002', 'Zoë 🙂', '[1,"a"]'])(
      'a record of any kind can be any text, such as %j',
      async (record) => {
        const [store, school] = [open(), site()];
        const links = { grantId: 'a b', memberId: 'Zoë', clientId: 'line' };
        for (const kind of ['Session', 'Grant', 'AuthorizationCode', 'Client'] as const) {
          await store.save(school, { kind, id: 'a', record, ttl: 60, ...links });
          expect(await store.find(school, kind, 'a')).toEqual({ record });
        }
      },
    );

    test('an id can be any text, and a record of one site is not found at another', async () => {
      const store = open();
      const names = ['a', 'a:b', '}', '{', 'a}:t', 'a}:t:a', '%', 'ü', 'a b', 'a,b', 'x'.repeat(200), 'a\nb'];
      const unique = randomUUID();
      const sites = names.map((name) => `${name}${unique}`).concat(names.map((name) => `${unique}${name}`));
      for (const school of sites) {
        for (const name of names) {
          await store.save(school, grant(name, name, name));
          await store.save(school, { ...token('AccessToken', name, name), record: `${school} ${name}` });
        }
      }
      for (const school of sites) {
        for (const name of names) {
          expect((await store.find(school, 'AccessToken', name))?.record).toBe(`${school} ${name}`);
          expect(await store.grantIds(school, { memberId: name })).toEqual([name]);
          expect(await store.grantIds(school, { memberId: name, clientId: name })).toEqual([name]);
          expect(await store.grantIds(school, { clientId: name })).toEqual([name]);
        }
        expect(await store.revoke(school, {})).toBe(names.length);
      }
    });

    test('a record is not found under another id, kind or site', async () => {
      const [store, school] = [open(), site()];
      await store.save(school, { kind: 'Session', id: 'a', record: 'x', ttl: 60 });
      expect(await store.find(school, 'Session', 'b')).toBeUndefined();
      expect(await store.find(school, 'Interaction', 'a')).toBeUndefined();
      expect(await store.find(site(), 'Session', 'a')).toBeUndefined();
    });

    test('remove deletes a record; removing one that does not exist is not an error', async () => {
      const [store, school] = [open(), site()];
      await store.save(school, { kind: 'Client', id: 'a', record: 'x' });
      await store.remove(school, 'Client', 'a');
      await store.remove(school, 'Client', 'a');
      expect(await store.find(school, 'Client', 'a')).toBeUndefined();
    });
  });

  describe('redeem', () => {
    test.each(['AuthorizationCode', 'RefreshToken'] as const)(
      'of 50 concurrent calls for one %s exactly one wins, and its entries are written',
      async (kind) => {
        const [store, school] = [open(), site()];
        await store.save(school, grant('g'));
        await store.save(school, token(kind, 'a', 'g'));
        const outcomes = await Promise.all(
          Array.from({ length: 50 }, (_, i) =>
            store.redeem(school, {
              kind,
              id: 'a',
              now: 1000,
              entries: [token('AccessToken', `t${i}`, 'g')],
              replay: { sealed: `response ${i}`, ttl: 60 },
            }),
          ),
        );
        const winner = outcomes.findIndex(({ won }) => won);
        expect(outcomes.filter(({ won }) => won)).toHaveLength(1);
        for (const outcome of outcomes) if (!outcome.won) expect(outcome.replay).toBe(`response ${winner}`);
        for (let i = 0; i < 50; i += 1) {
          const written = await store.find(school, 'AccessToken', `t${i}`);
          expect(written !== undefined).toBe(i === winner);
        }
        expect((await store.find(school, kind, 'a'))?.consumed).toBe(1000);
      },
    );

    test('a call for a record that does not exist loses and writes nothing', async () => {
      const [store, school] = [open(), site()];
      const outcome = await store.redeem(school, {
        kind: 'RefreshToken',
        id: 'a',
        now: 1,
        entries: [token('AccessToken', 't', 'g')],
      });
      expect(outcome.won).toBe(false);
      expect(await store.find(school, 'AccessToken', 't')).toBeUndefined();
    });

    test('a call for a record whose grant was revoked loses and writes nothing', async () => {
      const [store, school] = [open(), site()];
      await store.save(school, grant('g'));
      await store.save(school, token('RefreshToken', 'a', 'g'));
      await store.revoke(school, { grantId: 'g' });
      const outcome = await store.redeem(school, {
        kind: 'RefreshToken',
        id: 'a',
        now: 1,
        entries: [token('AccessToken', 't', 'g')],
      });
      expect(outcome.won).toBe(false);
      expect(await store.find(school, 'AccessToken', 't')).toBeUndefined();
    });

    test('without a replay, calls that lose get none', async () => {
      const [store, school] = [open(), site()];
      await store.save(school, grant('g'));
      await store.save(school, token('AuthorizationCode', 'a', 'g'));
      const redemption = { kind: 'AuthorizationCode', id: 'a', now: 1, entries: [] } as const;
      expect(await store.redeem(school, redemption)).toEqual({ won: true });
      expect((await store.redeem(school, redemption)) satisfies { won: boolean }).toMatchObject({ won: false });
    });
  });

  describe.each(['Client', 'DocumentReview'] as const)('listed records of kind %s', (kind) => {
    test('list returns those of the site, and no others', async () => {
      const [store, school] = [open(), site()];
      const other = kind === 'Client' ? 'DocumentReview' : 'Client';
      await store.save(school, { kind, id: 'a', record: 'A', listed: true });
      await store.save(school, { kind, id: 'b', record: 'B', listed: true });
      await store.save(school, { kind, id: 'c', record: 'C', ttl: 60 });
      await store.save(school, { kind: other, id: 'd', record: 'D', listed: true });
      await store.save(school, { kind, id: 'b', record: 'B again', listed: true });
      expect((await store.list(school, kind)).sort()).toEqual(['A', 'B again']);
      expect((await store.find(school, kind, 'b'))?.record).toBe('B again');
      await store.remove(school, kind, 'a');
      expect(await store.list(school, kind)).toEqual(['B again']);
      expect(await store.list(site(), kind)).toEqual([]);
    });
  });

  quotaContract(open);

  describe('grantIds', () => {
    test('returns the grants of a member, or those to one client', async () => {
      const [store, school] = [open(), site()];
      await store.save(school, grant('1', 'sam', 'app'));
      await store.save(school, grant('2', 'sam', 'other'));
      await store.save(school, grant('3', 'olivia', 'app'));
      expect((await store.grantIds(school, { memberId: 'sam' })).sort()).toEqual(['1', '2']);
      expect(await store.grantIds(school, { memberId: 'sam', clientId: 'other' })).toEqual(['2']);
      expect(await store.grantIds(school, { memberId: 'nobody' })).toEqual([]);
      expect(await store.grantIds(site(), { memberId: 'sam' })).toEqual([]);
    });

    test('returns all grants to one client', async () => {
      const [store, school] = [open(), site()];
      await store.save(school, grant('1', 'sam', 'app'));
      await store.save(school, grant('2', 'sam', 'other'));
      await store.save(school, grant('3', 'olivia', 'app'));
      expect((await store.grantIds(school, { clientId: 'app' })).sort()).toEqual(['1', '3']);
      expect(await store.grantIds(school, { clientId: 'nobody' })).toEqual([]);
      expect(await store.grantIds(site(), { clientId: 'app' })).toEqual([]);
    });
  });

  test('find returns with a grant when its last refresh token expires', async () => {
    const [store, school] = [open(), site()];
    await store.save(school, { ...grant('g'), ttl: 500 });
    await store.save(school, { ...token('AuthorizationCode', 'code', 'g'), ttl: 400 });
    expect((await store.find(school, 'Grant', 'g'))?.refreshUntil).toBeUndefined();
    const seconds = Math.floor(Date.now() / 1000);
    const redeem = (kind: 'AuthorizationCode' | 'RefreshToken', id: string, next: string, ttl: number) =>
      store.redeem(school, { kind, id, now: 1, entries: [{ ...token('RefreshToken', next, 'g'), ttl }] });
    const until = async (): Promise<number> => ((await store.find(school, 'Grant', 'g'))?.refreshUntil ?? 0) - seconds;
    await redeem('AuthorizationCode', 'code', 'r1', 100);
    expect(Math.abs((await until()) - 100)).toBeLessThan(4);
    await redeem('RefreshToken', 'r1', 'r2', 200);
    expect(Math.abs((await until()) - 200)).toBeLessThan(4);
  });

  describe('revoke', () => {
    const fill = async (store: Store, school: string): Promise<void> => {
      for (const [id, member, client] of [
        ['1', 'sam', 'app'],
        ['2', 'sam', 'other'],
        ['3', 'olivia', 'app'],
      ] as const) {
        await store.save(school, grant(id, member, client));
        for (const kind of ['AuthorizationCode', 'AccessToken', 'RefreshToken'] as const)
          await store.save(school, token(kind, id, id));
      }
      await store.save(school, { kind: 'Client', id: 'app', record: 'x' });
    };
    const left = async (store: Store, school: string): Promise<string[]> => {
      const found: string[] = [];
      for (const id of ['1', '2', '3']) {
        for (const kind of ['Grant', 'AuthorizationCode', 'AccessToken', 'RefreshToken'] as const) {
          if (await store.find(school, kind, id)) found.push(id);
        }
      }
      return [...new Set(found)];
    };

    test('a grant that matches only a part of the filter is not removed', async () => {
      const [store, school] = [open(), site()];
      await fill(store, school);
      expect(await store.revoke(school, { grantId: '1', memberId: 'olivia' })).toBe(0);
      expect(await store.revoke(school, { grantId: '1', clientId: 'other' })).toBe(0);
      expect(await left(store, school)).toEqual(['1', '2', '3']);
      expect(await store.revoke(school, { grantId: '1', memberId: 'sam', clientId: 'app' })).toBe(1);
      expect(await left(store, school)).toEqual(['2', '3']);
    });

    test('a grant that was saved again is removed with the tokens that it had before', async () => {
      const [store, school] = [open(), site()];
      await fill(store, school);
      await store.save(school, { ...grant('1'), record: 'again' });
      expect((await store.find(school, 'Grant', '1'))?.record).toBe('again');
      expect(await store.revoke(school, { grantId: '1' })).toBe(1);
      expect(await left(store, school)).toEqual(['2', '3']);
    });

    test('redeemed tokens, and those issued for them, are removed with their grant', async () => {
      const [store, school] = [open(), site()];
      await store.save(school, grant('g'));
      await store.save(school, token('AuthorizationCode', 'code', 'g'));
      const steps = [
        ['AuthorizationCode', 'code', 'r1'],
        ['RefreshToken', 'r1', 'r2'],
        ['RefreshToken', 'r2', 'r3'],
      ] as const;
      const all: [Entry['kind'], string][] = [['AuthorizationCode', 'code']];
      for (const [kind, id, next] of steps) {
        const entries = [token('AccessToken', `t-${next}`, 'g'), token('RefreshToken', next, 'g')];
        expect(await store.redeem(school, { kind, id, now: 1, entries })).toEqual({ won: true });
        for (const entry of entries) all.push([entry.kind, entry.id]);
      }
      for (const [kind, id] of all) expect(await store.find(school, kind, id)).toBeDefined();
      expect(await store.revoke(school, { memberId: 'sam' })).toBe(1);
      for (const [kind, id] of all) expect(await store.find(school, kind, id)).toBeUndefined();
    });

    test.each([
      ['removes one grant', { grantId: '1' }, ['2', '3'], 1],
      ['removes the grants of a member', { memberId: 'sam' }, ['3'], 2],
      ['removes the grants to a client', { clientId: 'app' }, ['2'], 2],
      ['removes the grant of a member to one client', { memberId: 'sam', clientId: 'app' }, ['2', '3'], 1],
      ['removes all grants of the site', {}, [], 3],
      ['removes no grant of an unknown member', { memberId: 'nobody' }, ['1', '2', '3'], 0],
      ['removes no grant with an unknown id', { grantId: 'x' }, ['1', '2', '3'], 0],
    ])('%s', async (_name, filter, expected, count) => {
      const [store, school, elsewhere] = [open(), site(), site()];
      await fill(store, school);
      await fill(store, elsewhere);
      expect(await store.revoke(school, filter)).toBe(count);
      expect(await left(store, school)).toEqual(expected);
      expect(await left(store, elsewhere)).toEqual(['1', '2', '3']);
      expect(await store.find(school, 'Client', 'app')).toBeDefined();
    });
  });

  test('ping resolves', async () => {
    await expect(open().ping()).resolves.toBeUndefined();
  });
}
