import { VersionConflict } from '../../../core/clients/expected-version.ts';
import { digest } from '../../../kernel/crypto.ts';
import type { AuditEvent } from '../../../observe/audit-event.ts';
import type { RecordStore } from '../../../records/record-store.ts';
import type { ApplicationRecords, Report, StoredApplication } from './application-records.ts';
import { newSecret } from './credentials.ts';

/** Takes away from an application again what an event took away, unless it has changed later. Returns whether it did. */
export type ApplicationReplay = (event: AuditEvent) => Promise<boolean>;

interface ReplayOptions {
  readonly store: RecordStore;
  readonly stored: ApplicationRecords;
  readonly report: Report;
  readonly endAll: (
    site: { readonly id: string },
    application: { readonly clientId: string; readonly clientName?: string | undefined },
    reason: 'application_changed' | 'application_removed',
  ) => Promise<number>;
}

export function applicationReplay(options: ReplayOptions): ApplicationReplay {
  return async function replay(event): Promise<boolean> {
    const { action, siteId, clientId } = event;
    const found = clientId === undefined ? undefined : await options.stored.find({ id: siteId }, clientId);
    if (!found) return false;
    if (action === 'application.removed') return removeAgain(options, event, found);
    const { createdAt, changedAt = createdAt } = found.application;
    if (changedAt * 1000 > Date.parse(event.time)) return false;
    try {
      return await (action === 'application.secret_rotated' ? endSecret : narrowAgain)(options, event, found);
    } catch (error) {
      // Another change came first: once more.
      if (error instanceof VersionConflict) return replay(event);
      throw error;
    }
  };
}

type Step = (options: ReplayOptions, event: AuditEvent, found: StoredApplication) => Promise<boolean>;

const removeAgain: Step = async ({ store, report, endAll }, { siteId }, { application }) => {
  const { clientId, clientName } = application;
  await store.remove(siteId, 'Client', clientId);
  report('application.removed', { id: siteId }, clientId, { clientName });
  await endAll({ id: siteId }, { clientId, clientName }, 'application_removed');
  return true;
};

/** A log has no secret, and takes none: the old one gives way to one that nobody knows. */
const endSecret: Step = async ({ stored, report }, event, found) => {
  const { application, secrets, isNarrowed } = found;
  if (secrets.secretDigest === undefined) return false;
  const ended = { secretDigest: digest(newSecret()), previous: undefined };
  await stored.save({ id: event.siteId }, { ...application, ...changedBy(event), isNarrowed, secrets: ended }, found);
  report('application.secret_rotated', { id: event.siteId }, application.clientId, { reason: 'ended' });
  return true;
};

const narrowAgain: Step = async ({ stored, report, endAll }, event, found) => {
  const { application, secrets } = found;
  const { clientId, scopes: before } = application;
  const after = before.filter((scope) => event.scopes?.after.includes(scope) ?? true);
  if (after.length === before.length || after.length === 0) return false;
  const site = { id: event.siteId };
  const changed = { ...application, ...changedBy(event), scopes: after, secrets };
  const saved = await stored.save(site, { ...changed, isNarrowed: true }, found);
  report('application.changed', site, clientId, { scopes: { before, after } });
  await endAll(site, application, 'application_changed');
  await stored.save(site, { ...changed, isNarrowed: false }, saved);
  return true;
};

/** To the second, as applications are stored. */
function changedBy({ time, actor }: AuditEvent): {
  readonly changedAt: number;
  readonly changedBy: string | undefined;
} {
  return { changedAt: Math.floor(Date.parse(time) / 1000), changedBy: actor.id };
}
