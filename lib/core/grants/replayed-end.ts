import { endGrants } from './changes.ts';
import type { AuditEvent, OnAudit } from '../../observe/audit-event.ts';
import { grantIdOf } from '../../records/codec.ts';
import type { RecordStore } from '../../records/record-store.ts';

interface EndOptions {
  readonly store: RecordStore;
  readonly onAudit: OnAudit;
}

/** Connections that are read at once. */
const pageSize = 100;

/**
 * Ends the connections again that an event has ended, and that a backup has brought back. Those that were allowed later stay. Returns how many
 * there were.
 */
export async function endAgain(options: EndOptions, event: AuditEvent): Promise<number> {
  const { siteId, memberId, clientId, connectionId } = event;
  const end = (id: string): Promise<number> => endOne(options, event, id);
  if (connectionId !== undefined) return end(connectionId);
  if (memberId !== undefined) {
    const ids =
      clientId === undefined ? await options.store.grantIds(siteId, { memberId }) : [grantIdOf(memberId, clientId)];
    return sumOf(ids.map(end));
  }
  return clientId === undefined ? 0 : endAllOf(options, event, { clientId });
}

/** Ends what was allowed to some clients until an event. */
export async function endAllOf(
  { store, onAudit }: EndOptions,
  event: AuditEvent,
  { clientId }: { readonly clientId: string },
): Promise<number> {
  let [ended, after]: [number, string | undefined] = [0, ''];
  while (after !== undefined) {
    const page = await store.grantsOf(event.siteId, { clientId, after, limit: pageSize });
    ended += await sumOf(page.entries.map(({ id }) => endOne({ store, onAudit }, event, id)));
    after = page.next ?? undefined;
  }
  return ended;
}

async function sumOf(all: readonly Promise<number>[]): Promise<number> {
  return (await Promise.all(all)).reduce((sum, each) => sum + each, 0);
}

async function endOne(
  options: EndOptions,
  { siteId, time, actor, reason, app }: AuditEvent,
  id: string,
): Promise<number> {
  const found = await options.store.find(siteId, 'Grant', id);
  if (!found) return 0;
  const { accountId: memberId, clientId, iat, at = iat } = found.record;
  if (at * 1000 > Date.parse(time)) return 0;
  const parties = { memberId, clientId, connectionId: id, app };
  return endGrants(options, siteId, { memberId, grantId: id }, { actor, reason, ...parties });
}
