import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { FaultEvent } from '../../../lib/index.ts';
import { startSchools } from '../../helpers/schools.ts';
import { postgresDatabases, sqliteDatabase } from './databases.ts';

let postgres: Awaited<ReturnType<typeof postgresDatabases>>;
beforeAll(async () => {
  postgres = await postgresDatabases();
});
afterAll(() => postgres.server.stop());

const command = 'run campus-oidc store migrate, or store.migrate()';

test.each(['PostgreSQL', 'SQLite'])('without migrations on %s, faults and health name the command', async (name) => {
  const database = name === 'SQLite' ? sqliteDatabase() : await postgres.make();
  await database.run(database.prelude);
  const store = database.open();
  const schools = await startSchools({ campus: { store } });
  try {
    const { campus, harbour } = schools;
    const reason = expect.stringContaining(command);
    expect(await campus.health()).toMatchObject({ ok: false, reason });
    expect(await campus.health({ write: true })).toMatchObject({ ok: false, reason });
    const body = new URLSearchParams({ token: 'a'.repeat(43), client_id: 'harbour-member-app' });
    const response = await fetch(`${harbour}/api/oauth/revoke`, { method: 'POST', body });
    expect(response.status).toBe(503);
    expect(await response.text()).not.toMatch(/migrate|campus_/);
    const causes = schools.faults.map(({ cause }: FaultEvent) => String(cause));
    expect(causes.length).toBeGreaterThan(0);
    for (const cause of causes) expect(cause).toContain(command);
    await store.migrate();
    expect(await campus.health({ write: true })).toEqual({ ok: true, milliseconds: expect.any(Number) });
  } finally {
    await schools.close();
    await database.close();
  }
});
