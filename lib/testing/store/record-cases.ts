import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { NewRecord } from '../../records/record.ts';
import { Bench, type Checks, each, has, same } from './case.ts';
import { grant, token } from './families.ts';

const anyText = [' ', 'a b', 'line\nline\r', '\u0001\u0002', 'Zoë 🙂', '[1,"a"]'];
const anyName = ['a', 'a:b', '}', '{', 'a}:t', 'a}:t:a', '%', 'ü', 'a b', 'a,b', 'x'.repeat(200), 'a\nb'];

export const recordCases: Checks = {
  async 'save and find: a record is found as it was saved; the next save replaces it'(bench) {
    const entry: NewRecord = { kind: 'Session', id: 'a', record: '{"name":"Zoë"}', ttl: 60 };
    assert.equal(await bench.save(entry), true);
    same(await bench.find('Session', 'a'), { record: '{"name":"Zoë"}' });
    assert.equal(await bench.save({ ...entry, record: 'next' }), true);
    same(await bench.find('Session', 'a'), { record: 'next' });
  },
  ...each(
    anyText,
    (record) => `save and find: a record of any kind can be any text, such as ${JSON.stringify(record)}`,
    async (bench, record) => {
      const links = { grantId: 'a b', familyId: 'c,d=e', memberId: 'Zoë', clientId: 'line' };
      for (const kind of ['Session', 'Grant', 'AuthorizationCode', 'Client'] as const) {
        await bench.save({ kind, id: 'a b', record, ttl: 60, ...links });
        assert.equal(await bench.textOf(kind, 'a b'), record);
      }
      has(await bench.find('AuthorizationCode', 'a b'), { familyId: 'c,d=e' });
    },
  ),
  async 'find: an id can be any text, and a record of one school is not found at another'({ store }) {
    const unique = randomUUID();
    const sites = anyName.flatMap((name) => [`${name}${unique}`, `${unique}${name}`]);
    const benches = sites.map((siteId) => new Bench(store, siteId));
    for (const bench of benches) {
      for (const name of anyName) {
        await bench.save(grant(name, name, name));
        await bench.save({ ...token('AccessToken', name, name, name), record: `${bench.siteId} ${name}` });
      }
    }
    for (const bench of benches) {
      for (const name of anyName) {
        assert.equal(await bench.textOf('AccessToken', name), `${bench.siteId} ${name}`);
        same(await bench.grantIds({ memberId: name }), [name]);
        assert.deepEqual(await bench.countGrants([{ clientId: name }]), [1]);
      }
      for (const name of anyName) assert.equal(await bench.revoke({ clientId: name }), 1);
    }
  },
  async 'find: a record is not found under another id, kind or site'(bench) {
    await bench.save({ kind: 'Session', id: 'a', record: 'x', ttl: 60 });
    assert.equal(await bench.exists('Session', 'b'), false);
    assert.equal(await bench.exists('Interaction', 'a'), false);
    assert.equal(await bench.elsewhere().exists('Session', 'a'), false);
  },
  async 'find: the empty site id is a space of its own, in which documents of all sites are stored'({ store }) {
    const id = randomUUID();
    const entry: NewRecord = { kind: 'Document', id, record: 'x', ttl: 60 };
    const shared = new Bench(store, '');
    const stored = (siteId: string): Promise<string | undefined> => new Bench(store, siteId).textOf('Document', id);
    await shared.save(entry);
    assert.equal(await stored(''), 'x');
    for (const siteId of ['%', '%25', ' ', 'undefined']) {
      assert.equal(await stored(siteId), undefined);
      await store.save(siteId, { ...entry, record: siteId });
    }
    await shared.save({ ...entry, record: 'next' });
    assert.deepEqual([await stored(''), await stored('%')], ['next', '%']);
    await shared.remove('Document', id);
    assert.equal(await stored(''), undefined);
  },
  async 'remove: deletes a record; removing one that does not exist is not an error'(bench) {
    await bench.save({ kind: 'Client', id: 'a', record: 'x' });
    assert.equal(await bench.remove('Client', 'a'), true);
    assert.equal(await bench.remove('Client', 'a'), false);
    assert.equal(await bench.exists('Client', 'a'), false);
  },
  ...each(
    ['Client', 'DocumentReview', 'AppRule', 'ConnectedClient', 'AppRequest'] as const,
    (kind) => `list: returns the listed records of kind ${kind} of the school, and no others`,
    async (bench, kind) => {
      const other = kind === 'Client' ? 'DocumentReview' : 'Client';
      await bench.save({ kind, id: 'a', record: 'A', listed: true });
      await bench.save({ kind, id: 'b', record: 'B', listed: true });
      if (kind === 'Client') await bench.save({ kind, id: 'c', record: 'C', ttl: 60 });
      await bench.save({ kind: other, id: 'd', record: 'D', listed: true });
      await bench.save({ kind, id: 'b', record: 'B again', listed: true });
      same((await bench.list(kind)).sort(), ['A', 'B again']);
      assert.equal(await bench.textOf(kind, 'b'), 'B again');
      await bench.remove(kind, 'a');
      same(await bench.list(kind), ['B again']);
      same(await bench.elsewhere().list(kind), []);
    },
  ),
  'ping: resolves': async ({ store }) => store.ping(),
};
