import { nameOf } from '../../lib/records/record.ts';
import type { Redemption, RedemptionOutcome } from '../../lib/records/store.ts';
import { never, SiteRows } from '../sql/sql.ts';
import { limitsOf, type OwnOperations } from '../sql/store.ts';
import type { Session } from './session.ts';
import { steps } from './statements.ts';

export function operations(session: Session): OwnOperations {
  return {
    saveToken: async (siteId, { kind, id, record, ttl = never, grantId = '', familyId = '' }) =>
      session.transaction(() => {
        const rows = new SiteRows(siteId);
        const [grant, family] = [rows.record('Grant', grantId), encodeURIComponent(familyId)];
        const [row] = session.now(steps.grant, [grant]);
        if (!row) return false;
        const key = rows.family(nameOf('Grant', grantId), family);
        session.now(steps.endFamilies, [grant, key]);
        const last = Math.min(Number(row['now']) + ttl, Number(row['expires']));
        const line = rows.line(kind, id);
        const its = line ? [line.line, line.token, record] : noLine;
        session.now(steps.family, [key, grant, last, kind === 'RefreshToken' ? last : null, family, ...its]);
        if (line) return true;
        const epoch = kind === 'AccessToken' ? Number(row['epoch']) : null;
        const name = nameOf(kind, id);
        session.now(steps.token, [rows.record(kind, id), key, ttl, Number(row['expires']), epoch, record, kind, name]);
        return true;
      }),
    redeem: async (siteId, redemption) => session.transaction(() => redeem(session, new SiteRows(siteId), redemption)),
    consumeQuota: async (siteId, quotas, window, uses) =>
      session.transaction(() => consumeQuota(session, new SiteRows(siteId), limitsOf(quotas), window, uses)),
    endFamily: async (siteId, grantId, familyId) =>
      session.transaction(() => {
        const rows = new SiteRows(siteId);
        const grant = rows.record('Grant', grantId);
        const family = rows.family(nameOf('Grant', grantId), encodeURIComponent(familyId));
        if (session.now(steps.endFamily, [family, grant]).length === 0) return false;
        session.now(steps.endGrant, [grant]);
        return true;
      }),
  };
}

/** What a family gets where nothing changes about its line. */
const noLine = [null, null, null];

function redeem(session: Session, rows: SiteRows, redemption: Redemption): RedemptionOutcome {
  const { kind, id, grantId, epoch = 0, tokens, replay, quota } = redemption;
  const [key, grant] = [rows.record(kind, id), rows.record('Grant', grantId)];
  const line = rows.line(kind, id);
  const [row] = line
    ? session.now(steps.redeemableLine, [line.line, grant, line.token])
    : session.now(steps.redeemable, [key, grant]);
  if (!row) return { won: false };
  if (row['consumed'] !== null) {
    const [kept] = session.now(steps.findReplay, [key]);
    return kept ? { won: false, replay: String(kept['sealed']) } : { won: false };
  }
  const retryAfter = quota && consumeQuota(session, rows, limitsOf([quota]), quota.window, 1);
  if (retryAfter !== undefined) return { won: false, retryAfter };
  session.now(...(line ? ([steps.consumeLine, [row['family']]] as const) : ([steps.consume, [key]] as const)));
  let successor: readonly (string | null)[] = noLine;
  const [family, ends] = [String(row['family']), Number(row['expires'])];
  let [last, refreshUntil] = [0, null as number | null];
  for (const { ttl = never, ...token } of tokens) {
    const its = token.kind === 'AccessToken' ? epoch : null;
    const name = nameOf(token.kind, token.id);
    const own = rows.record(token.kind, token.id);
    const next = rows.line(token.kind, token.id);
    if (next) successor = [next.line, next.token, token.record];
    else session.now(steps.token, [own, family, ttl, ends, its, token.record, token.kind, name]);
    const end = Math.min(Number(row['now']) + ttl, ends);
    last = Math.max(last, end);
    if (token.kind === 'RefreshToken') refreshUntil = Math.max(refreshUntil ?? 0, end);
  }
  // The row exists, so only its times change.
  session.now(steps.family, [family, grant, last, refreshUntil, '', ...successor]);
  if (replay) session.now(steps.replay, [key, replay.sealed, replay.ttl]);
  return { won: true };
}

/** Within a transaction. */
function consumeQuota(
  session: Session,
  rows: SiteRows,
  limits: ReadonlyMap<string, number>,
  window: number,
  uses: number,
): number | undefined {
  let wait = 0;
  for (const [name, limit] of limits) {
    const [counter] = session.now(steps.counter, [rows.counter(name)]);
    if (Number(counter?.['used'] ?? 0) + uses > limit) wait = Math.max(wait, Number(counter?.['wait'] ?? window));
  }
  if (wait > 0) return Math.max(1, Math.ceil(wait));
  for (const name of limits.keys()) session.now(steps.count, [rows.counter(name), window, uses]);
  return undefined;
}
