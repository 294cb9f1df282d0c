import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { sqliteStore } from '../../adapters/sqlite/index.ts';
import { storeContract } from '../../lib/testing/index.ts';

const database = new DatabaseSync(':memory:');
const store = sqliteStore(database);
beforeAll(async () => void (await store.migrate()));
afterAll(() => database.close());

describe('sqliteStore', () => {
  for (const { name, run } of storeContract(() => store)) test(name, run);
});
