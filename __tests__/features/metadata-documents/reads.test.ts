import { expect, test } from '@jest/globals';
import { memoryStore } from '../../../adapters/memory/index.ts';
import type { Store } from '../../../lib/store.ts';
import { connect, introspect, refresh, userinfo } from '../../helpers/flow.ts';
import { client, documentSchools } from './document-schools.ts';

const { schools, start, publish } = documentSchools();

test('a token of a document is verified, introspected and refreshed with as few reads as that takes', async () => {
  const memory = memoryStore();
  const reads: string[] = [];
  const find: Store['find'] = (siteId, kind, ...rest) => {
    reads.push(kind);
    return memory.find(siteId, kind, ...rest);
  };
  publish();
  await start(undefined, { store: { ...memory, find } });
  const { body } = await connect(schools().browser('olivia'), schools().harbour, client);
  const during = async (operation: () => Promise<{ readonly status: number }>): Promise<string[]> => {
    reads.splice(0);
    expect((await operation()).status).toBe(200);
    return reads.toSorted();
  };
  const token = body['access_token'];
  expect(await during(() => userinfo(schools().harbour, token))).toEqual(['AccessToken', 'AppRule', 'Document']);
  expect(await during(() => introspect(schools().harbour, client, token))).toEqual([
    'AccessToken',
    'AppRule',
    'Document',
  ]);
  expect(await during(() => refresh(schools().harbour, client, body['refresh_token']))).toEqual([
    'AppRule',
    'AppRule',
    'Document',
    'Document',
    'RefreshToken',
  ]);
});
