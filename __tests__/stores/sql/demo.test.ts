import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, jest, test } from '@jest/globals';
import { startDemo } from '../../../examples/school-platform/start.ts';
import { startPostgres } from '../../helpers/postgres.ts';

const dir = mkdtempSync(join(tmpdir(), 'campus-demo-'));
afterAll(() => {
  delete process.env['DATABASE_URL'];
  rmSync(dir, { recursive: true });
});

async function isReady(url: string): Promise<boolean> {
  process.env['DATABASE_URL'] = url;
  const demo = await startDemo({ port: 0 });
  const { ok } = await fetch(`${demo.origins.harbour}/readyz`);
  await demo.close();
  return ok;
}

test('the demo runs on SQLite and on PostgreSQL, and again on the same data', async () => {
  // Each start has keys of its own, which the next one reports.
  jest.spyOn(console, 'error').mockImplementation(() => {});
  const server = await startPostgres();
  for (const url of [`sqlite:${join(dir, 'campus.db')}`, server.url]) {
    expect(await isReady(url)).toBe(true);
    expect(await isReady(url)).toBe(true);
  }
  await server.stop();
});
