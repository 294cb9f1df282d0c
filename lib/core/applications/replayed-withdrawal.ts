import { appRequestId, connectReason } from './request.ts';
import type { AuditEvent, OnAudit } from '../../observe/audit-event.ts';
import type { RecordStore } from '../../records/record-store.ts';

interface ReplayOptions {
  readonly store: RecordStore;
  readonly onAudit: OnAudit;
}

/** Removes a request again that its member has withdrawn, unless they have asked later. Returns whether there was one. */
export async function withdrawAgain({ store, onAudit }: ReplayOptions, event: AuditEvent): Promise<boolean> {
  const { action, siteId, time, actor, memberId, app, clientId, reason } = event;
  const id = requestIdIn(event);
  const found = id === undefined ? undefined : await store.find(siteId, 'AppRequest', id);
  if (id === undefined || !found || found.record.at * 1000 > Date.parse(time)) return false;
  if (!(await store.remove(siteId, 'AppRequest', id, found.text))) return withdrawAgain({ store, onAudit }, event);
  onAudit({ action, siteId, actor, memberId, app, clientId, reason });
  return true;
}

/** The id of the request that an event is about. */
export function requestIdIn({ memberId, app, clientId, reason }: AuditEvent): string | undefined {
  if (memberId === undefined || app === undefined) return undefined;
  return appRequestId(memberId, app, reason === connectReason ? clientId : undefined);
}
