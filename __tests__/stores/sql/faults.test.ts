import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../../helpers/redis.ts';
import { type Endpoints, expectFault, prepareEndpoints } from '../redis/endpoints.ts';
import { type PostgresCampus, startPostgresCampus } from './campus.ts';

let campus: PostgresCampus;
let endpoints: Endpoints;
beforeAll(async () => {
  campus = await startPostgresCampus();
});
afterAll(() => campus.close());
beforeEach(async () => {
  endpoints = await prepareEndpoints(campus.schools);
  campus.useShortDeadline(true);
});
afterEach(async () => {
  campus.useShortDeadline(false);
  campus.proxy.mode = 'pass';
  await campus.proxy.listen();
  await until('the store responds', async () => (await campus.schools.campus.health({ write: true })).ok);
  expect(await endpoints.succeed()).toEqual([200, 200, 200, 200]);
});

async function expectFaults(access?: 'writes'): Promise<void> {
  const calls = Object.values(endpoints.calls).filter((call) => access === undefined || call.access === access);
  for (const { run } of calls) expectFault(await run(), /postgres|sql|relation|campus_/i);
}

const set = async (setting: string, value: string | number): Promise<void> => {
  await campus.admin.query(`alter system set ${setting} = '${value}'`);
  await campus.admin.query('select pg_reload_conf()');
  await until('the setting is in force', async () => {
    const { rows } = await campus.admin.query(`show ${setting}`);
    return rows[0]?.[setting] === String(value);
  });
};

describe('every endpoint returns 503 within the deadline, and recovers by itself, when', () => {
  test('connections are refused', async () => {
    await campus.proxy.refuse();
    await expectFaults();
    expect(await campus.schools.campus.health()).toMatchObject({ ok: false });
  });

  test('PostgreSQL does not reply', async () => {
    campus.proxy.mode = 'stall';
    await expectFaults();
    // Nothing of it is done later: those that waited have their error.
    campus.proxy.reset();
  });

  test('replies are lost', async () => {
    campus.proxy.mode = 'lose replies';
    await Promise.all(
      ['userinfo', 'introspect', 'the interaction page'].map(async (name) => endpoints.calls[name]?.run()),
    ).then((responses) => expect(responses.map((response) => response?.status)).toEqual([503, 503, 503]));
  });

  test('the host has lent out all connections of the pool', async () => {
    const lent = await Promise.all(Array.from({ length: 5 }, () => campus.pool.connect()));
    await expectFaults();
    for (const client of lent) client.release();
  });

  test('the server was killed', async () => {
    await campus.server.kill();
    await expectFaults();
    await campus.server.start();
  });

  test('a table is locked', async () => {
    const client = await campus.admin.connect();
    await client.query('begin');
    await client.query('lock table campus_token, campus_grant, campus_record in access exclusive mode');
    await expectFaults();
    await client.query('rollback');
    client.release();
  });

  test('statements time out', async () => {
    const client = await campus.admin.connect();
    await client.query('begin');
    await client.query('lock table campus_token, campus_grant, campus_record in access exclusive mode');
    await set('statement_timeout', '20ms');
    campus.useShortDeadline(false);
    await expectFaults();
    await client.query('rollback');
    client.release();
    await set('statement_timeout', 0);
  });
});

test('while the server is a read-only replica, tokens are verified and writes are 503; after its promotion all works', async () => {
  await campus.server.kill();
  writeFileSync(join(campus.server.dir, 'standby.signal'), '');
  await campus.server.start();
  campus.useShortDeadline(false);
  expect((await endpoints.calls['userinfo']?.run())?.status).toBe(200);
  await expectFaults('writes');
  expect(await campus.schools.campus.health()).toMatchObject({ ok: true });
  expect(await campus.schools.campus.health({ write: true })).toMatchObject({ ok: false });
  await campus.admin.query('select pg_promote()');
});

test('while the disk is full, as PostgreSQL reports it, writes of tokens are 503 and nothing is half done', async () => {
  campus.useShortDeadline(false);
  await campus.admin.query(`create function full_disk() returns trigger language plpgsql as
    $$ begin raise exception using errcode = '53100', message = 'could not extend file: No space left on device'; end $$`);
  await campus.admin.query(
    'create trigger full_disk before insert on campus_token for each row execute function full_disk()',
  );
  for (const name of ['token, with a code', 'token, with a refresh token', 'authorize, known browser'] as const) {
    const response = await endpoints.calls[name]?.run();
    expect(response?.status).toBe(503);
  }
  expect((await endpoints.calls['userinfo']?.run())?.status).toBe(200);
  await campus.admin.query('drop function full_disk cascade');
});

test('connections that the server ends are replaced, whether they are idle or lent out', async () => {
  campus.useShortDeadline(false);
  for (let round = 0; round < 5; round += 1) {
    const asked = Array.from({ length: 10 }, async () => endpoints.calls['userinfo']?.run());
    await campus.admin.query('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()');
    const statuses = (await Promise.all(asked)).map((response) => response?.status);
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  }
});

test('transactions that cannot be serialized are tried again', async () => {
  await set('default_transaction_isolation', 'serializable');
  const { store } = campus;
  campus.useShortDeadline(false);
  await store.save('s', { kind: 'Grant', id: 'g', record: 'g', memberId: 'sam', clientId: 'app' });
  for (let round = 0; round < 10; round += 1) {
    await store.save('s', { kind: 'RefreshToken', id: `${round}`, record: 'r', grantId: 'g', familyId: `${round}` });
    const redemption = {
      kind: 'RefreshToken',
      id: `${round}`,
      grantId: 'g',
      now: 1,
      replay: { sealed: 'x', ttl: 60 },
    } as const;
    const outcomes = await Promise.all(
      Array.from({ length: 16 }, (_, i) =>
        store.redeem('s', { ...redemption, tokens: [{ kind: 'AccessToken', id: `${round} ${i}`, record: 'a' }] }),
      ),
    );
    expect(outcomes.filter(({ won }) => won)).toHaveLength(1);
    expect(outcomes.filter((outcome) => !outcome.won && outcome.replay === 'x')).toHaveLength(15);
  }
  await set('default_transaction_isolation', 'read committed');
});

test.each([
  ['a deadlock', '40P01'],
  ['a serialization failure', '40001'],
  ['a counter that passed its limit meanwhile', '22012'],
])('%s is tried again', async (_name, code) => {
  campus.useShortDeadline(false);
  // A sequence goes on also if the transaction fails.
  await campus.admin.query(`create sequence attempts; create function fail_once() returns trigger language plpgsql as
    $$ begin if nextval('attempts') = 1 then raise exception using errcode = '${code}'; end if; return new; end $$;
    create trigger fail_once before insert on campus_quota for each row execute function fail_once()`);
  expect(await campus.store.consumeQuota('s', [{ name: code, limit: 1 }], 60)).toBeUndefined();
  expect(await campus.store.consumeQuota('s', [{ name: code, limit: 1 }], 60)).toBeGreaterThan(0);
  const { rows } = await campus.admin.query('select last_value::int as attempts from attempts');
  expect(rows).toEqual([{ attempts: 2 }]);
  await campus.admin.query('drop function fail_once cascade; drop sequence attempts');
});

test('prepared statements that a pooler has lost are sent whole', async () => {
  campus.useShortDeadline(false);
  const lent = await Promise.all(Array.from({ length: 5 }, () => campus.poolOfLong.connect()));
  for (const client of lent) {
    await client.query('deallocate all');
    client.release();
  }
  for (let i = 0; i < 5; i += 1) expect((await endpoints.calls['userinfo']?.run())?.status).toBe(200);
});

test('at most 1,000 calls wait for a connection', async () => {
  await until('calls are made', () =>
    campus.store.ping().then(
      () => true,
      () => false,
    ),
  );
  const lent = await Promise.all(Array.from({ length: 5 }, () => campus.pool.connect()));
  const all = await Promise.allSettled(Array.from({ length: 1100 }, () => campus.store.ping()));
  const reasons = all.flatMap((each) => (each.status === 'rejected' ? String(each.reason) : []));
  for (const client of lent) client.release();
  expect(reasons).toHaveLength(1100);
  expect(reasons.filter((reason) => reason.includes('1000 commands wait'))).toHaveLength(100);
});

test('a write whose caller has an error is not made later', async () => {
  const { store } = campus;
  const entry = { kind: 'Session', id: 'late', record: 'x', ttl: 60 } as const;
  // So the connection is open, the statement prepared and the clock known.
  const saved = () => store.save('s', { ...entry, id: 'in time' }).catch(() => false);
  await until('a write is made in time', saved);
  campus.proxy.mode = 'stall';
  await expect(store.save('s', entry)).rejects.toThrow('PostgreSQL did not respond in time');
  // What was sent reaches the server now.
  campus.proxy.mode = 'pass';
  campus.useShortDeadline(false);
  await until('the statement has arrived', async () => {
    const { rows } = await campus.admin.query(
      `select 1 from pg_stat_activity where state = 'active' and pid <> pg_backend_pid()`,
    );
    return rows.length === 0;
  });
  expect((await store.find('s', 'Session', 'late')) ?? undefined).toBeUndefined();
});
