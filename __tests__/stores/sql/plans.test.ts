import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Pool } from 'pg';
import { postgresStore } from '../../../adapters/postgres/index.ts';
import type { CopiedPage } from '../../../lib/records/store-copy.ts';
import type { Store } from '../../../lib/store.ts';
import { type PostgresServer, startPostgres } from '../../helpers/postgres.ts';

let server: PostgresServer;
let pool: Pool;
let store: ReturnType<typeof postgresStore>;
beforeAll(async () => {
  server = await startPostgres();
  // One connection, so that all statements are prepared there.
  pool = server.pool({ max: 1, query_timeout: 60_000 });
  store = postgresStore(pool);
  await store.migrate();
});
afterAll(() => server.stop());

/** Starts and moves on a line of refresh tokens, and removes another one. */
async function useLine(its: Store, round: number, grantId: string): Promise<void> {
  const token = (line: string, generation: number) =>
    ({
      kind: 'RefreshToken',
      id: `${`${line}-${round}`.padEnd(22, '-')}~${`${generation}`.padEnd(22, '-')}`,
      record: 'r',
      ttl: 60,
    }) as const;
  for (const line of ['stays', 'goes']) {
    const [one, two] = [token(line, 1), token(line, 2)];
    await its.save('school', { ...one, grantId, familyId: line });
    const access = { kind: 'AccessToken', id: `access ${line} ${round}`, record: 'a', ttl: 60 } as const;
    const redemption = { kind: 'RefreshToken', id: one.id, grantId, now: 1, replay: { sealed: 's', ttl: 30 } } as const;
    expect(await its.redeem('school', { ...redemption, tokens: [access, two] })).toEqual({ won: true });
    expect(await its.redeem('school', { ...redemption, tokens: [access, two] })).toEqual({ won: false, replay: 's' });
    for (const withGrant of [true, false])
      expect(await its.find('school', 'RefreshToken', two.id, { withGrant })).toMatchObject({ record: 'r' });
    if (line === 'goes') expect(await its.remove('school', 'RefreshToken', two.id)).toBe(true);
  }
}

/** Makes every call of a store once, on records of this round. */
async function useAll(its: Store, round: number): Promise<void> {
  const [siteId, grantId] = ['school', `g ${round}`];
  const grant = {
    kind: 'Grant',
    id: grantId,
    record: 'g',
    ttl: 600,
    memberId: `sam ${round}`,
    clientId: 'app',
  } as const;
  await its.save(siteId, grant);
  await its.save(siteId, { ...grant, replaces: 'g', record: 'h' });
  await its.save(siteId, { ...grant, id: `other ${round}`, replaces: null });
  for (const app of [undefined, 'code'])
    await its.save(siteId, { ...grant, id: `of ${app} ${round}`, clientId: `laptop of ${app}`, app });
  for (const listed of [true, false]) await its.save(siteId, { kind: 'Client', id: `c ${round}`, record: 'c', listed });
  for (const count of [0, 1, 2]) {
    const [id, familyId] = [`code ${count} ${round}`, `f ${count}`];
    await its.save(siteId, { kind: 'AuthorizationCode', id, record: 'c', ttl: 60, grantId, familyId });
    const tokens = (['AccessToken', 'RefreshToken'] as const)
      .slice(0, count)
      .map((kind) => ({ kind, id: `${id} token`, record: 't', ttl: 60 }));
    const quota = { name: `q ${round}`, limit: 10, window: 60 };
    const redemption = {
      kind: 'AuthorizationCode',
      id,
      grantId,
      now: 1,
      tokens,
      quota,
      replay: { sealed: 's', ttl: 30 },
    } as const;
    expect(await its.redeem(siteId, redemption)).toEqual({ won: true });
    expect(await its.redeem(siteId, redemption)).toEqual({ won: false, replay: 's' });
  }
  await useLine(its, round, grantId);
  for (const withGrant of [true, false])
    expect(await its.find(siteId, 'AccessToken', `code 2 ${round} token`, { withGrant })).toMatchObject({
      record: 't',
    });
  expect(await its.find(siteId, 'Grant', grantId)).toMatchObject({ record: 'h' });
  expect(await its.find(siteId, 'Client', `c ${round}`)).toEqual({ record: 'c' });
  for (const count of [1, 2, 3, 5]) {
    const quotas = Array.from({ length: count }, (_, i) => ({ name: `${count} ${i}`, limit: 1000 }));
    expect(await its.consumeQuota(siteId, quotas, 60)).toBeUndefined();
  }
  const copier = its.transfer?.();
  for (let place: string | undefined = ''; place !== undefined;) {
    const page: CopiedPage | undefined = await copier?.page(place);
    expect(await copier?.look(page?.records ?? [])).toEqual(page?.records);
    await copier?.put(page?.records ?? []);
    place = page?.next;
  }
  expect(await its.endFamily(siteId, grantId, 'f 0')).toBe(true);
  expect([(await its.list(siteId, 'Client')).length, await its.countGrants(siteId, [{ clientId: 'app' }])]).toEqual([
    0,
    [2],
  ]);
  const first = await its.clientsByUse(siteId, { limit: 2 });
  expect(first.entries).toEqual([{ clientId: 'app', grants: 2 }, expect.objectContaining({ grants: 1 })]);
  expect((await its.clientsByUse(siteId, { after: first.next ?? '', limit: 2 })).entries).toHaveLength(1);
  for (const grantee of [{ clientId: 'app' }, { app: 'code' }]) {
    const page = await its.grantsOf(siteId, { ...grantee, limit: 1 });
    expect(page.entries).toHaveLength(1);
    const after = await its.grantsOf(siteId, { ...grantee, after: page.next ?? '', limit: 1 });
    expect(after.entries).toHaveLength('app' in grantee ? 0 : 1);
  }
  await its.remove(siteId, 'AccessToken', `code 2 ${round} token`);
  await its.remove(siteId, 'Client', `c ${round}`);
  expect(await its.grantIds(siteId, { memberId: grant.memberId })).toHaveLength(4);
  expect(await its.revoke(siteId, { memberId: grant.memberId, grantId })).toBe(1);
  await its.revoke(siteId, { memberId: grant.memberId });
  await its.revoke(siteId, { clientId: 'app' });
  await its.ping();
}

test('a column that a later release adds changes nothing for statements that are prepared', async () => {
  await useAll(store, 0);
  for (const table of ['grant', 'family', 'token', 'replay', 'record', 'quota', 'use'])
    await pool.query(`alter table campus_${table} add column later text default 'x'`);
  await useAll(store, 1);
});

test('every statement is planned once for all values', async () => {
  for (let round = 2; round < 12; round += 1) await useAll(store, round);
  const { rows } = await pool.query(
    `select statement, generic_plans > 0 as once from pg_prepared_statements where name like 'campus%'`,
  );
  expect(rows.length).toBeGreaterThan(30);
  expect(rows.filter(({ once }) => once !== true)).toEqual([]);
});
