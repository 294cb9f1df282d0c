import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startWalks, type Walks } from './walks.ts';

let walks: Walks;
beforeAll(async () => {
  walks = await startWalks(import.meta.filename);
});
afterAll(async () => {
  await walks?.close();
});

test('a refresh, the way to the consent page, its answer, UserInfo and a call of a tool run files of ours', async () => {
  const files = await walks.all();
  expect(files.refresh).toContain('lib/core/grants/redemption.ts');
  expect(files['authorize to page']).toContain('lib/interaction/consent.ts');
  expect(files.answer).toContain('lib/core/grants/consent.ts');
  expect(files.UserInfo).toContain('lib/core/access/operator-and-admin-roles.ts');
  expect(files['tools/call']).toContain('lib/mcp/serve/run-tool.ts');
});
