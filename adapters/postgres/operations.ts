import { nameOf } from '../../lib/records/record.ts';
import type { Redemption, RedemptionOutcome } from '../../lib/records/store.ts';
import { type Dialect, never, SiteRows, type Statement } from '../sql/sql.ts';
import { limitsOf, type OwnOperations } from '../sql/store.ts';
import type { CallPostgres } from './session.ts';
import * as texts from './statements.ts';

export function operations(call: CallPostgres, dialect: Dialect): OwnOperations {
  const saveToken = texts.saveToken(dialect);
  const saveLine = texts.saveLine(dialect);
  const [findReplay, findReplayOfLine] = [texts.findReplay(dialect, false), texts.findReplay(dialect, true)];
  const redemptionOf = byNumber((shape) => {
    const [from, to] = [(shape & 1) > 0, (shape & 2) > 0];
    return texts.redeem(dialect, shape >> 2, { from, to });
  });
  const quotaOf = byNumber((quotas) => texts.consumeQuota(dialect, quotas));
  return {
    saveToken: async (siteId, { kind, id, record, ttl = never, grantId = '', familyId = '' }) => {
      const rows = new SiteRows(siteId);
      const [grant, family] = [nameOf('Grant', grantId), encodeURIComponent(familyId)];
      const owners = [rows.record('Grant', grantId), rows.family(grant, family), ttl];
      const line = rows.line(kind, id);
      const of = [kind === 'RefreshToken', family, kind === 'AccessToken', record, kind, nameOf(kind, id)];
      const written = await call((session) =>
        line
          ? session.write(saveLine, [line.line, ...owners, line.token, family, record])
          : session.write(saveToken, [rows.record(kind, id), ...owners, ...of]),
      );
      return written.length > 0;
    },
    redeem: (siteId, redemption) =>
      call(async (session) => {
        const { shape, values } = redemptionValues(new SiteRows(siteId), redemption);
        const [row = {}] = await session.write(redemptionOf(shape), values);
        if (row['won'] === true) return { won: true };
        if (row['wait'] !== null) return { won: false, retryAfter: Math.ceil(Number(row['wait'])) };
        if (row['live'] !== true) return { won: false };
        // The winner may have committed while this call waited for its row.
        const late = (shape & 1) > 0 ? findReplayOfLine : findReplay;
        const [found] = row['replay'] === null ? await session.run(late, [values[0], values[9]]) : [row];
        return typeof found?.['replay'] === 'string' ? { won: false, replay: found['replay'] } : { won: false };
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

/** The values of a redemption, and its shape: 1 from a line, 2 to a line, and four times the number of its other tokens. */
function redemptionValues(
  rows: SiteRows,
  redemption: Redemption,
): { readonly shape: number; readonly values: readonly unknown[] } {
  const { kind, id, grantId, epoch = 0, tokens, replay, quota } = redemption;
  const lives = tokens.map(({ ttl = never }) => ttl);
  const refreshLives = tokens.flatMap(({ kind: its, ttl = never }) => (its === 'RefreshToken' ? ttl : []));
  const limit = quota && limitsOf([quota]).get(quota.name);
  const line = rows.line(kind, id);
  const [successors, others] = partition(tokens, (token) => rows.line(token.kind, token.id) !== undefined);
  const next = successors.map((token) => ({ ...rows.line(token.kind, token.id), record: token.record })).at(-1);
  const values = [
    line?.line ?? rows.record(kind, id),
    rows.record('Grant', grantId),
    replay?.sealed ?? null,
    replay?.ttl ?? 0,
    Math.max(0, ...lives),
    refreshLives.length > 0 ? Math.max(...refreshLives) : null,
    quota ? rows.counter(quota.name) : null,
    limit ?? null,
    quota?.window ?? null,
    rows.record(kind, id),
    ...(line ? [line.token] : []),
    ...(next ? [next.line, next.token, next.record] : []),
    ...others.flatMap((token) => [
      rows.record(token.kind, token.id),
      token.record,
      token.ttl ?? never,
      token.kind === 'AccessToken' ? epoch : null,
      token.kind,
      nameOf(token.kind, token.id),
    ]),
  ];
  return { shape: (line ? 1 : 0) + (next ? 2 : 0) + 4 * others.length, values };
}

function partition<T>(all: readonly T[], holds: (one: T) => boolean): readonly [yes: T[], no: T[]] {
  return [all.filter(holds), all.filter((one) => !holds(one))];
}

/** Texts that differ by a number, each made once. */
function byNumber(make: (number: number) => Statement): (number: number) => Statement {
  const made = new Map<number, Statement>();
  return (number) => {
    const known = made.get(number) ?? make(number);
    made.set(number, known);
    return known;
  };
}
