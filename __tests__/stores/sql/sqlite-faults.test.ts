import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from '@jest/globals';
import { sqliteStore } from '../../../adapters/sqlite/index.ts';

const dir = mkdtempSync(join(tmpdir(), 'campus-sqlite-'));
afterAll(() => rmSync(dir, { recursive: true }));

const redemption = { kind: 'RefreshToken', id: 'r', grantId: 'g', now: 1 } as const;
const token = { kind: 'AccessToken', id: 'a', record: 'a'.repeat(100_000) } as const;

async function filled(file: string): Promise<{ database: DatabaseSync; store: ReturnType<typeof sqliteStore> }> {
  const database = new DatabaseSync(join(dir, file));
  const store = sqliteStore(database);
  await store.migrate();
  await store.save('s', { kind: 'Grant', id: 'g', record: 'g', memberId: 'sam', clientId: 'app' });
  await store.save('s', { kind: 'RefreshToken', id: 'r', record: 'r', grantId: 'g', familyId: 'f' });
  return { database, store };
}

test('a redemption for which the disk is full rejects and changes nothing; later the same token wins', async () => {
  const { database, store } = await filled('full.db');
  const pages = Object(database.prepare('pragma page_count').get())['page_count'];
  database.exec(`pragma max_page_count = ${pages}`);
  await expect(store.redeem('s', { ...redemption, tokens: [token] })).rejects.toThrow('full');
  expect(await store.find('s', 'RefreshToken', 'r')).toEqual({ record: 'r', familyId: 'f', consumed: undefined });
  database.exec('pragma max_page_count = 100000');
  expect(await store.redeem('s', { ...redemption, tokens: [token] })).toEqual({ won: true });
  database.close();
});

test('while another process writes, a call rejects and a find replies; then all works', async () => {
  const { database, store } = await filled('busy.db');
  database.exec('pragma journal_mode = wal');
  const other = new DatabaseSync(join(dir, 'busy.db'));
  other.exec('begin immediate');
  await expect(store.redeem('s', { ...redemption, tokens: [] })).rejects.toThrow('locked');
  expect(await store.find('s', 'RefreshToken', 'r')).toMatchObject({ record: 'r' });
  other.exec('rollback');
  expect(await store.redeem('s', { ...redemption, tokens: [] })).toEqual({ won: true });
  other.close();
  database.close();
  await expect(store.find('s', 'RefreshToken', 'r')).rejects.toThrow();
});
