import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { NewRecord } from '../../contracts/record.ts';
import { type Check, each, exists, has, newSite, same, textOf } from './case.ts';
import { grant, token } from './entries.ts';

const anyText = [' ', 'a b', 'line\nline\r', '\u0001\u0002', 'Zoë 🙂', '[1,"a"]'];
const anyName = ['a', 'a:b', '}', '{', 'a}:t', 'a}:t:a', '%', 'ü', 'a b', 'a,b', 'x'.repeat(200), 'a\nb'];

/** Writing, finding and removing one record. */
export const recordCases: readonly Check[] = [
  {
    name: 'save and find: a record is found as it was saved; the next save replaces it',
    run: async ({ store, school }) => {
      const entry: NewRecord = { kind: 'Session', id: 'a', record: '{"name":"Zoë"}', ttl: 60 };
      assert.equal(await store.save(school, entry), true);
      same(await store.find(school, 'Session', 'a'), { record: '{"name":"Zoë"}' });
      assert.equal(await store.save(school, { ...entry, record: 'next' }), true);
      same(await store.find(school, 'Session', 'a'), { record: 'next' });
    },
  },
  ...each(
    anyText,
    (record) => `save and find: a record of any kind can be any text, such as ${JSON.stringify(record)}`,
    async (bench, record) => {
      const { store, school } = bench;
      const links = { grantId: 'a b', familyId: 'c,d=e', memberId: 'Zoë', clientId: 'line' };
      for (const kind of ['Session', 'Grant', 'AuthorizationCode', 'Client'] as const) {
        await store.save(school, { kind, id: 'a b', record, ttl: 60, ...links });
        assert.equal(await textOf(bench, kind, 'a b'), record);
      }
      has(await store.find(school, 'AuthorizationCode', 'a b'), { familyId: 'c,d=e' });
    },
  ),
  {
    name: 'find: an id can be any text, and a record of one site is not found at another',
    run: async ({ store }) => {
      const unique = randomUUID();
      const sites = anyName.flatMap((name) => [`${name}${unique}`, `${unique}${name}`]);
      for (const school of sites) {
        for (const name of anyName) {
          await store.save(school, grant(name, name, name));
          await store.save(school, { ...token('AccessToken', name, name, name), record: `${school} ${name}` });
        }
      }
      for (const school of sites) {
        for (const name of anyName) {
          assert.equal(await textOf({ store, school }, 'AccessToken', name), `${school} ${name}`);
          same(await store.grantIds(school, { memberId: name }), [name]);
          assert.equal(await store.countGrants(school, { clientId: name }), 1);
        }
        for (const name of anyName) assert.equal(await store.revoke(school, { clientId: name }), 1);
      }
    },
  },
  {
    name: 'find: a record is not found under another id, kind or site',
    run: async (bench) => {
      await bench.store.save(bench.school, { kind: 'Session', id: 'a', record: 'x', ttl: 60 });
      assert.equal(await exists(bench, 'Session', 'b'), false);
      assert.equal(await exists(bench, 'Interaction', 'a'), false);
      assert.equal(await exists({ ...bench, school: newSite() }, 'Session', 'a'), false);
    },
  },
  {
    name: 'find: the empty site id is a space of its own, in which documents of all sites are stored',
    run: async ({ store }) => {
      const id = randomUUID();
      const entry: NewRecord = { kind: 'Document', id, record: 'x', ttl: 60 };
      const stored = (school: string): Promise<string | undefined> => textOf({ store, school }, 'Document', id);
      await store.save('', entry);
      assert.equal(await stored(''), 'x');
      for (const school of ['%', '%25', ' ', 'undefined']) {
        assert.equal(await stored(school), undefined);
        await store.save(school, { ...entry, record: school });
      }
      await store.save('', { ...entry, record: 'next' });
      assert.deepEqual([await stored(''), await stored('%')], ['next', '%']);
      await store.remove('', 'Document', id);
      assert.equal(await stored(''), undefined);
    },
  },
  {
    name: 'remove: deletes a record; removing one that does not exist is not an error',
    run: async (bench) => {
      const { store, school } = bench;
      await store.save(school, { kind: 'Client', id: 'a', record: 'x' });
      assert.equal(await store.remove(school, 'Client', 'a'), true);
      assert.equal(await store.remove(school, 'Client', 'a'), false);
      assert.equal(await exists(bench, 'Client', 'a'), false);
    },
  },
  ...each(
    ['Client', 'DocumentReview', 'ClientBlock', 'ConnectedClient'] as const,
    (kind) => `list: returns the listed records of kind ${kind} of the site, and no others`,
    async (bench, kind) => {
      const { store, school } = bench;
      const other = kind === 'Client' ? 'DocumentReview' : 'Client';
      await store.save(school, { kind, id: 'a', record: 'A', listed: true });
      await store.save(school, { kind, id: 'b', record: 'B', listed: true });
      await store.save(school, { kind, id: 'c', record: 'C', ttl: 60 });
      await store.save(school, { kind: other, id: 'd', record: 'D', listed: true });
      await store.save(school, { kind, id: 'b', record: 'B again', listed: true });
      same((await store.list(school, kind)).sort(), ['A', 'B again']);
      assert.equal(await textOf(bench, kind, 'b'), 'B again');
      await store.remove(school, kind, 'a');
      same(await store.list(school, kind), ['B again']);
      same(await store.list(newSite(), kind), []);
    },
  ),
  { name: 'ping: resolves', run: async ({ store }) => store.ping() },
];
