import { nameOf } from '../../lib/records/record.ts';
import type { Redemption, RedemptionOutcome } from '../../lib/records/store.ts';
import { type Dialect, never, SiteRows, type Statement } from '../sql/sql.ts';
import { limitsOf, type OwnOperations } from '../sql/store.ts';
import type { CallPostgres } from './session.ts';
import * as texts from './statements.ts';

export function operations(call: CallPostgres, dialect: Dialect): OwnOperations {
  const saveToken = texts.saveToken(dialect);
  const findReplay = texts.findReplay(dialect);
  const redemptionOf = byCount((tokens) => texts.redeem(dialect, tokens));
  const quotaOf = byCount((quotas) => texts.consumeQuota(dialect, quotas));
  return {
    saveToken: async (siteId, { kind, id, record, ttl = never, grantId = '', familyId = '' }) => {
      const rows = new SiteRows(siteId);
      const [grant, family] = [nameOf('Grant', grantId), encodeURIComponent(familyId)];
      const keys = [rows.record(kind, id), rows.record('Grant', grantId), rows.family(grant, family)];
      const of = [ttl, kind === 'RefreshToken', family, kind === 'AccessToken', record, kind, nameOf(kind, id)];
      return (await call((session) => session.write(saveToken, [...keys, ...of]))).length > 0;
    },
    redeem: (siteId, redemption) =>
      call(async (session) => {
        const rows = new SiteRows(siteId);
        const values = redemptionValues(rows, redemption);
        const [row = {}] = await session.write(redemptionOf(redemption.tokens.length), values);
        if (row['won'] === true) return { won: true };
        if (row['wait'] !== null) return { won: false, retryAfter: Math.ceil(Number(row['wait'])) };
        if (row['live'] !== true) return { won: false };
        // The winner may have committed while this call waited for its row.
        const [late] = row['replay'] === null ? await session.run(findReplay, values.slice(0, 1)) : [row];
        return late ? { won: false, replay: String(late['replay']) } : { won: false };
      }) satisfies Promise<RedemptionOutcome>,
    consumeQuota: async (siteId, quotas, window, uses) => {
      const rows = new SiteRows(siteId);
      const limits = [...limitsOf(quotas)];
      // A power of two, so that few texts are prepared.
      const count = 2 ** Math.ceil(Math.log2(limits.length));
      const each = Array.from({ length: count }, (_, i) => {
        const [name, limit] = limits[i] ?? [];
        return [name === undefined ? null : rows.counter(name), limit ?? null];
      });
      const [row = {}] = await call((session) => session.run(quotaOf(count), [uses, window, ...each.flat()]));
      return row['wait'] === null ? undefined : Math.max(1, Math.ceil(Number(row['wait'])));
    },
    endFamily: async (siteId, grantId, familyId) => {
      const rows = new SiteRows(siteId);
      const family = rows.family(nameOf('Grant', grantId), encodeURIComponent(familyId));
      const ended = await call((session) =>
        session.transaction((notAfter) => texts.endFamily(dialect, rows.record('Grant', grantId), family, notAfter)),
      );
      return ended.length > 0;
    },
  };
}

function redemptionValues(rows: SiteRows, redemption: Redemption): unknown[] {
  const { kind, id, grantId, epoch = 0, tokens, replay, quota } = redemption;
  const lives = tokens.map(({ ttl = never }) => ttl);
  const refreshLives = tokens.flatMap(({ kind: its, ttl = never }) => (its === 'RefreshToken' ? ttl : []));
  const limit = quota && limitsOf([quota]).get(quota.name);
  return [
    rows.record(kind, id),
    rows.record('Grant', grantId),
    replay?.sealed ?? null,
    replay?.ttl ?? 0,
    Math.max(0, ...lives),
    refreshLives.length > 0 ? Math.max(...refreshLives) : null,
    quota ? rows.counter(quota.name) : null,
    limit ?? null,
    quota?.window ?? null,
    ...tokens.flatMap((token) => [
      rows.record(token.kind, token.id),
      token.record,
      token.ttl ?? never,
      token.kind === 'AccessToken' ? epoch : null,
      token.kind,
      nameOf(token.kind, token.id),
    ]),
  ];
}

/** Texts that differ by a number, each made once. */
function byCount(make: (count: number) => Statement): (count: number) => Statement {
  const made = new Map<number, Statement>();
  return (count) => {
    const known = made.get(count) ?? make(count);
    made.set(count, known);
    return known;
  };
}
