import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Entry, Store } from '../../lib/store.ts';
import { familiesContract } from './families-contract.ts';
import { grant, token } from './entries.ts';
import { quotaContract } from './quota-contract.ts';
import { versionsContract } from './versions-contract.ts';

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
        const links = { grantId: 'a b', familyId: 'c,d=e', memberId: 'Zoë', clientId: 'line' };
        for (const kind of ['Session', 'Grant', 'AuthorizationCode', 'Client'] as const) {
          await store.save(school, { kind, id: 'a b', record, ttl: 60, ...links });
          expect(await store.find(school, kind, 'a b')).toMatchObject({ record });
        }
        expect((await store.find(school, 'AuthorizationCode', 'a b'))?.familyId).toBe('c,d=e');
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
          await store.save(school, { ...token('AccessToken', name, name, name), record: `${school} ${name}` });
        }
      }
      for (const school of sites) {
        for (const name of names) {
          expect((await store.find(school, 'AccessToken', name))?.record).toBe(`${school} ${name}`);
          expect(await store.grantIds(school, { memberId: name })).toEqual([name]);
          expect(await store.countGrants(school, { clientId: name })).toBe(1);
        }
        for (const name of names) expect(await store.revoke(school, { clientId: name })).toBe(1);
      }
    });

    test('a record is not found under another id, kind or site', async () => {
      const [store, school] = [open(), site()];
      await store.save(school, { kind: 'Session', id: 'a', record: 'x', ttl: 60 });
      expect(await store.find(school, 'Session', 'b')).toBeUndefined();
      expect(await store.find(school, 'Interaction', 'a')).toBeUndefined();
      expect(await store.find(site(), 'Session', 'a')).toBeUndefined();
    });

    test('the empty site id is a space of its own, in which documents of all sites are stored', async () => {
      const [store, id] = [open(), randomUUID()];
      const entry: Entry = { kind: 'Document', id, record: 'x', ttl: 60 };
      await store.save('', entry);
      expect((await store.find('', 'Document', id))?.record).toBe('x');
      for (const school of ['%', '%25', ' ', 'undefined']) {
        expect(await store.find(school, 'Document', id)).toBeUndefined();
        await store.save(school, { ...entry, record: school });
      }
      await store.save('', { ...entry, record: 'next' });
      expect((await store.find('', 'Document', id))?.record).toBe('next');
      expect((await store.find('%', 'Document', id))?.record).toBe('%');
      await store.remove('', 'Document', id);
      expect(await store.find('', 'Document', id)).toBeUndefined();
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
      'of 50 concurrent calls for one %s exactly one wins, and its tokens are written',
      async (kind) => {
        const [store, school] = [open(), site()];
        await store.save(school, grant('g'));
        await store.save(school, token(kind, 'a', 'g'));
        const outcomes = await Promise.all(
          Array.from({ length: 50 }, (_, i) =>
            store.redeem(school, {
              kind,
              id: 'a',
              grantId: 'g',
              now: 1000,
              tokens: [{ kind: 'AccessToken', id: `t${i}`, record: 'x', ttl: 60 }],
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
      await store.save(school, grant('g'));
      await store.save(school, token('AuthorizationCode', 'code', 'g'));
      const tokens = [{ kind: 'AccessToken', id: 't', record: 'x', ttl: 60 }] as const;
      const redemption = { kind: 'RefreshToken', id: 'a', grantId: 'g', now: 1, tokens } as const;
      expect(await store.redeem(school, redemption)).toMatchObject({ won: false });
      expect(await store.find(school, 'AccessToken', 't')).toBeUndefined();
    });

    test('without a replay, calls that lose get none', async () => {
      const [store, school] = [open(), site()];
      await store.save(school, grant('g'));
      await store.save(school, token('AuthorizationCode', 'a', 'g'));
      const redemption = { kind: 'AuthorizationCode', id: 'a', grantId: 'g', now: 1, tokens: [] } as const;
      expect(await store.redeem(school, redemption)).toEqual({ won: true });
      expect((await store.redeem(school, redemption)) satisfies { won: boolean }).toMatchObject({ won: false });
    });
  });

  describe.each(['Client', 'DocumentReview', 'ClientBlock'] as const)('listed records of kind %s', (kind) => {
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

  familiesContract(open);

  versionsContract(open);

  test('ping resolves', async () => {
    await expect(open().ping()).resolves.toBeUndefined();
  });
}
