import { type Only, sameLimits } from '../boundaries/boundary.ts';
import type { AuditAction, AuditEvent, OnAudit } from '../../observe/audit-event.ts';
import { changeGrant, type ChangeOptions, endGrants, withoutScopes } from './changes.ts';

interface NarrowOptions extends ChangeOptions {
  readonly onAudit: OnAudit;
}

/** What the last events about a connection leave of it. */
interface Left {
  readonly event: AuditEvent;
  readonly connectionId: string;
  readonly scopes: readonly string[] | undefined;
  readonly only: Only | undefined;
}

/** What members have taken from connections, as the events of a log say. */
export interface TakenAway {
  /** Takes the next event, in their order. */
  note(event: AuditEvent): void;
  /** The number of connections. */
  count(): number;
  /** Takes it away again. What was allowed or changed later stays. Returns how many connections have changed. */
  apply(): Promise<number>;
}

/** After these, a connection has what the person has just decided. */
const decides = new Set<AuditAction>([
  'consent.given',
  'consent.narrowed',
  'connection.narrowed',
  'connection.widened',
  'connection.limited',
]);

/** Connections that only got more are not kept in memory: a backup gives nothing back of them. */
export function takenAway(options: NarrowOptions): TakenAway {
  const all = new Map<string, Left>();
  return {
    note(event) {
      const { action, siteId, connectionId, scopes, first } = event;
      if (!decides.has(action) || connectionId === undefined || first) return;
      const key = JSON.stringify([siteId, connectionId]);
      const before = all.get(key);
      const only = limitsAfter(event);
      if (!before && !losesScopes(event) && !event.only) return;
      all.set(key, { event, connectionId, scopes: scopes?.after ?? before?.scopes, only: only ?? before?.only });
    },
    count: () => all.size,
    async apply() {
      let changed = 0;
      for (const left of all.values()) changed += Number(await takeAgain(options, left));
      return changed;
    },
  };
}

export function losesScopes({ scopes }: AuditEvent): boolean {
  return scopes?.before.some((scope) => !scopes.after.includes(scope)) === true;
}

/** The limits that an event has set. A consent without limits removes those from before. */
function limitsAfter({ action, only }: AuditEvent): Only | undefined {
  return only ?? (action === 'consent.given' || action === 'consent.narrowed' ? {} : undefined);
}

async function takeAgain(options: NarrowOptions, { event, connectionId, scopes, only }: Left): Promise<boolean> {
  const { siteId, actor, app } = event;
  const found = await options.store.find(siteId, 'Grant', connectionId);
  if (!found) return false;
  const { accountId: memberId, clientId, resource } = found.record;
  const parties = { actor, memberId, clientId, connectionId, app };
  const time = Date.parse(event.time);
  let isEmpty = false;
  const changed = await changeGrant(options, { id: siteId, origin: resource }, connectionId, (current) => {
    const { grant } = current;
    if (!grant || Math.max(grant.iat, grant.at ?? 0, grant.changed ?? 0) * 1000 > time) return undefined;
    const lost = scopes ? [...current.scopes].filter((scope) => !scopes.includes(scope)) : [];
    isEmpty = lost.length > 0 && lost.length === current.scopes.size;
    const limits = only && Object.keys(only).length > 0 ? only : undefined;
    const isLimited = only !== undefined && !sameLimits(only, grant.only);
    if (isEmpty || (lost.length === 0 && !isLimited)) return undefined;
    // What happens after this second is a later decision.
    const at = { changed: Math.floor(time / 1000) };
    return { ...(lost.length > 0 ? withoutScopes(grant, lost) : grant), ...(only && { only: limits }), ...at };
  });
  if (isEmpty) return (await endGrants(options, siteId, { memberId, grantId: connectionId }, parties)) > 0;
  if (!changed) return false;
  const isNarrowed = changed.scopes.before.length > changed.scopes.after.length;
  if (isNarrowed) options.onAudit({ action: 'connection.narrowed', siteId, ...parties, scopes: changed.scopes });
  if (only && !sameLimits(only, found.record.only))
    options.onAudit({ action: 'connection.limited', siteId, ...parties, only });
  return true;
}
