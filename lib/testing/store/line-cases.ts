import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { lineOf, type NewRecord } from '../../records/record.ts';
import type { IssuedToken, Redemption } from '../../records/store.ts';
import { type Bench, type Checks, each, has, same } from './case.ts';
import { grant, redeemedJustNow } from './families.ts';

/** 22 characters, as of a digest. */
function digested(text: string): string {
  return text.padEnd(22, '-').slice(0, 22);
}

/** A line of refresh tokens: its name is part of all their ids. */
class Line {
  readonly name: string = digested(randomUUID().replaceAll('-', ''));

  /** The id of a token of this line. */
  id(token: string | number): string {
    return `${this.name}~${digested(`token-${token}`)}`;
  }

  token(token: string | number, ttl = 60): IssuedToken {
    return { kind: 'RefreshToken', id: this.id(token), record: `record of ${token}`, ttl };
  }

  refresh(from: string | number, to: string | number, replay?: string): Redemption {
    const access = { kind: 'AccessToken', id: `access ${this.name} ${to}`, record: 'access', ttl: 60 } as const;
    const tokens = [access, this.token(to)];
    const kept = replay === undefined ? undefined : { sealed: replay, ttl: 60 };
    return { kind: 'RefreshToken', id: this.id(from), grantId: 'g', now: 1000, tokens, replay: kept };
  }
}

/** A line whose token 0 is live. */
async function started(bench: Bench, familyId = 'phone'): Promise<Line> {
  const line = new Line();
  await bench.save(grant('g'));
  const code: NewRecord = {
    kind: 'AuthorizationCode',
    id: `code ${line.name}`,
    record: 'code',
    ttl: 60,
    grantId: 'g',
    familyId,
  };
  await bench.save(code);
  const { kind, id } = code;
  if (kind !== 'AuthorizationCode') throw new Error('a code');
  same(await bench.redeem({ kind, id, grantId: 'g', now: 1000, tokens: [line.token(0)] }), { won: true });
  return line;
}

async function isLive(bench: Bench, id: string): Promise<boolean> {
  const found = await bench.find('RefreshToken', id);
  return found !== null && found !== undefined && (found.consumed ?? undefined) === undefined;
}

/** Whether the store keeps one record for a line: then it takes a token that it was never given for a redeemed one. */
async function keepsLines(bench: Bench): Promise<boolean> {
  const line = await started(bench, 'probe');
  return ((await bench.find('RefreshToken', line.id('never given'))) ?? undefined) !== undefined;
}

/** Refresh tokens of a line: each redemption puts one in the place of the one before. */
export const lineCases: Checks = {
  async 'lines: other records come with a token, live or redeemed, if the store has them at hand'(bench) {
    const line = await started(bench);
    await bench.save({ kind: 'AppRule', id: 'rule', record: 'rule', listed: true });
    same(await bench.redeem(line.refresh(0, 1, 'response')), { won: true });
    const also = [
      { kind: 'AppRule', id: 'no rule' },
      { kind: 'AppRule', id: 'rule' },
    ] as const;
    for (const token of [0, 1]) {
      const one = await bench.find('RefreshToken', line.id(token), { also, withGrant: true });
      if (token === 0) redeemedJustNow(one, 1000);
      else assert.deepEqual([one?.record, one?.consumed ?? undefined], ['record of 1', undefined]);
      if (one?.grant) has(one.grant, { record: 'grant g' });
      if (!one?.also) continue;
      assert.equal(one.also[0] ?? undefined, undefined);
      has(one.also[1], { record: 'rule' });
    }
  },
  async 'lines: a refresh moves the line on; the earlier tokens are found as redeemed, and lose'(bench) {
    const line = await started(bench);
    for (let i = 0; i < 8; i += 1) same(await bench.redeem(line.refresh(i, i + 1)), { won: true });
    const live = await bench.find('RefreshToken', line.id(8), { withGrant: true });
    has(live, { record: 'record of 8', familyId: 'phone' });
    if (live?.grant) has(live.grant, { record: 'grant g' });
    for (let i = 0; i < 8; i += 1) {
      const found = await bench.find('RefreshToken', line.id(i));
      has(found, { familyId: 'phone' });
      assert.ok(Number(found?.consumed) >= 1, `token ${i} of 8 must be found with a consumed of at least 1`);
      same(await bench.redeem(line.refresh(i, 'stolen')), { won: false });
    }
    assert.equal(await isLive(bench, line.id('stolen')), false);
    assert.equal(await isLive(bench, line.id(8)), true);
  },
  async 'lines: exactly one of 50 concurrent calls wins; the others get its replay'(bench) {
    const line = await started(bench);
    const calls = Array.from({ length: 50 }, (_, i) => bench.redeem(line.refresh(0, `1 of ${i}`, `response ${i}`)));
    const outcomes = await Promise.all(calls);
    const winner = outcomes.findIndex(({ won }) => won);
    assert.equal(outcomes.filter(({ won }) => won).length, 1);
    for (const outcome of outcomes) if (!outcome.won) same(outcome, { won: false, replay: `response ${winner}` });
    for (let i = 0; i < 50; i += 1) assert.equal(await isLive(bench, line.id(`1 of ${i}`)), i === winner);
    redeemedJustNow(await bench.find('RefreshToken', line.id(0)), 1000);
  },
  async 'lines: a replay belongs to the token that was redeemed, also two refreshes later'(bench) {
    const line = await started(bench);
    for (const i of [0, 1, 2]) same(await bench.redeem(line.refresh(i, i + 1, `response ${i}`)), { won: true });
    for (const i of [2, 0, 1]) {
      same(await bench.redeem(line.refresh(i, 'again', 'again')), { won: false, replay: `response ${i}` });
      redeemedJustNow(await bench.find('RefreshToken', line.id(i)), 1000);
    }
  },
  async 'lines: a redemption without a successor leaves no live token'(bench) {
    const line = await started(bench);
    same(await bench.redeem({ ...line.refresh(0, 1), tokens: [] }), { won: true });
    same(await bench.redeem(line.refresh(0, 1)), { won: false });
    assert.equal(await isLive(bench, line.id(0)), false);
    assert.equal(await isLive(bench, line.id(1)), false);
  },
  ...each(
    [
      ['its family ends', (bench: Bench) => bench.endFamily('g', 'phone')],
      ['its grant is revoked', (bench: Bench) => bench.revoke({ memberId: 'sam' })],
      ['its grant is removed', (bench: Bench) => bench.remove('Grant', 'g')],
    ] as const,
    ([what]) => `lines: when ${what}, no token of it is found or redeemed, also under the same grant made again`,
    async (bench, [, end]) => {
      const line = await started(bench);
      same(await bench.redeem(line.refresh(0, 1, 'response')), { won: true });
      await end(bench);
      await bench.save(grant('g'));
      for (const i of [0, 1, 2]) {
        assert.equal((await bench.find('RefreshToken', line.id(i))) ?? undefined, undefined);
        same(await bench.redeem(line.refresh(i, 3)), { won: false });
      }
    },
  ),
  async 'lines: two of one grant keep apart, and so do schools and grants'(bench) {
    const [phone, laptop] = [await started(bench, 'phone'), await started(bench, 'laptop')];
    same(await bench.redeem(phone.refresh(0, 1)), { won: true });
    assert.equal(await isLive(bench, laptop.id(0)), true);
    const elsewhere = bench.elsewhere();
    await started(elsewhere);
    assert.equal((await elsewhere.find('RefreshToken', phone.id(1))) ?? undefined, undefined);
    same(await elsewhere.redeem(phone.refresh(1, 2)), { won: false });
    await bench.save(grant('other', 'sam', 'other'));
    same(await bench.redeem({ ...phone.refresh(1, 2), grantId: 'other' }), { won: false });
    await bench.endFamily('g', 'laptop');
    assert.equal(await isLive(bench, phone.id(1)), true);
  },
  async 'lines: their names alone are no token, with or without what holds them together'(bench) {
    const line = await started(bench);
    const [name = '', token = ''] = line.id(0).split('~');
    const others = [name, name.padEnd(43, '-'), `${name}~`, `~${token}`, `${name}~${token}~`, `${name}${token}`];
    for (const id of others) {
      assert.equal(lineOf('RefreshToken', id), undefined);
      assert.equal((await bench.find('RefreshToken', id)) ?? undefined, undefined);
      same(await bench.redeem({ ...line.refresh(0, 1), id }), { won: false });
      assert.equal(await bench.remove('RefreshToken', id), false);
    }
    assert.equal((await bench.find('AuthorizationCode', line.id(0))) ?? undefined, undefined);
    assert.equal(await isLive(bench, line.id(0)), true);
  },
  async 'lines: the live token is written and removed as any record is'(bench) {
    const line = new Line();
    await bench.save(grant('g'));
    const entry = { ...line.token(0), grantId: 'g', familyId: 'phone' };
    assert.equal(await bench.save(entry), true);
    assert.equal(await isLive(bench, line.id(0)), true);
    assert.equal(await bench.remove('RefreshToken', line.id(1)), false);
    assert.equal(await bench.remove('RefreshToken', line.id(0)), true);
    assert.equal(await bench.remove('RefreshToken', line.id(0)), false);
    assert.equal((await bench.find('RefreshToken', line.id(0))) ?? undefined, undefined);
  },
  async 'lines: a used-up quota leaves the token live'(bench) {
    const line = await started(bench);
    const quota = { name: 'n', limit: 1, window: 60 };
    same(await bench.redeem({ ...line.refresh(0, 1), quota }), { won: true });
    has(await bench.redeem({ ...line.refresh(1, 2), quota }), { won: false });
    assert.equal(await isLive(bench, line.id(1)), true);
    same(await bench.redeem({ ...line.refresh(0, 2), quota }), { won: false });
    same(await bench.redeem({ ...line.refresh(1, 2), quota: { ...quota, limit: 2 } }), { won: true });
  },
  async 'lines: a store that keeps one record for a line keeps one, however often it is refreshed'(bench) {
    if (!bench.store.sweep || !(await keepsLines(bench.elsewhere()))) return;
    const line = await started(bench);
    for (let i = 0; i < 20; i += 1) same(await bench.redeem(line.refresh(i, i + 1)), { won: true });
    let count = 0;
    for (let from: string | undefined = ''; from !== undefined;) {
      const step: Awaited<ReturnType<NonNullable<typeof bench.store.sweep>>> = await bench.store.sweep(
        bench.siteId,
        from,
        false,
      );
      count += step.records.RefreshToken ?? 0;
      from = step.next ?? undefined;
    }
    assert.equal(count, 1);
  },
};
