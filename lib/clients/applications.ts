import type { ScopeCatalogue } from '../protocol/scopes.ts';
import { epochSeconds } from '../runtime/clock.ts';
import type { Application, ApplicationInput, IssuedSecret, NewApplication } from '../contracts/application.ts';
import type { ClientAudience } from '../contracts/client.ts';
import type { Site } from '../contracts/platform.ts';
import type { AuditAction, AuditDetails, OnAudit } from '../runtime/audit-event.ts';
import { digest } from '../runtime/crypto.ts';
import { AccessDenied, OAuthError } from '../protocol/errors.ts';
import type { RecordStore } from '../records/record-store.ts';
import { isApplicationId, newClientId, newSecret } from './application-credentials.ts';
import { checkApplication } from './application-input.ts';
import {
  applicationOf,
  type ApplicationRecords,
  applicationRecords,
  conflict,
  type StoredApplication,
} from './application-records.ts';

/** The version of an application that someone saw. */
interface ExpectedVersion {
  /** If the application has another one by now, nothing is changed. @default any */
  readonly version?: string | undefined;
}

/**
 * The OAuth applications that operators create at a site, for its members or for its operators. The caller must check
 * that the request comes from an operator. Every method that writes throws `AccessDenied` while the site's
 * `connectionsEnabled` is false. Specification: Registration rules 5 and 6.
 */
export interface Applications {
  /**
   * Creates an application. The secret of a confidential one is in this result only.
   *
   * @throws InvalidApplication with everything that is wrong
   */
  create(site: Site, application: NewApplication): Promise<IssuedSecret>;
  /** All applications of the site, oldest first. */
  list(site: Site): Promise<Application[]>;
  /** `undefined` if the site has no such application. */
  find(site: Site, clientId: string): Promise<Application | undefined>;
  /**
   * Changes an application, but not its audience. Removing a scope ends all its connections, so that no token keeps that scope;
   * if that fails, the next change ends them.
   * With `version`, only if the application still has that version: what someone saw is what they change.
   *
   * @throws InvalidApplication with everything that is wrong; OAuthError with status 404 for an unknown application, with
   * status 409 `conflict` if it has another version, or changed at the same moment
   */
  update(
    site: Site,
    clientId: string,
    changes: Partial<ApplicationInput>,
    options?: ExpectedVersion,
  ): Promise<Application>;
  /**
   * Replaces the secret of a confidential application. The old secret is invalid immediately. `version` as for `update`.
   *
   * @throws OAuthError with status 404 for an unknown application, 400 for a public one, 409 `conflict` if it changed at the
   * same moment
   */
  rotateSecret(site: Site, clientId: string, options?: ExpectedVersion): Promise<IssuedSecret>;
  /** The number of people who are connected to it. */
  connections(site: Site, clientId: string): Promise<number>;
  /**
   * Removes an application with all its codes and tokens. Returns how many connections it had. If it fails half-way, the same
   * call again ends what is left.
   *
   * @throws OAuthError with status 404 for an unknown application
   */
  remove(site: Site, clientId: string): Promise<{ readonly connections: number }>;
}

type Report = (action: AuditAction, site: Site, clientId: string, details?: Partial<AuditDetails>) => void;

export function createApplications(store: RecordStore, catalogue: ScopeCatalogue, onAudit: OnAudit): Applications {
  const report: Report = (action, { id: siteId }, clientId, details) =>
    onAudit({ action, siteId, actor: { kind: 'operator' }, clientId, ...details });
  const records = applicationRecords(store, catalogue);
  const { find, save } = records;

  async function demand(site: Site, clientId: string): Promise<StoredApplication> {
    mustBeEnabled(site);
    const found = await find(site, clientId);
    if (found) return found;
    throw unknown(site, clientId);
  }

  return {
    async create(site, { confidential, audience = 'member', ...input }) {
      mustBeEnabled(site);
      const clientSecret = confidential ? newSecret() : undefined;
      const secretDigest = clientSecret && digest(clientSecret);
      const fixed = { audience, confidential, clientId: newClientId(), createdAt: epochSeconds(), secretDigest };
      const settings = { ...checkedInput(input, audience, catalogue), ...fixed, isNarrowed: false };
      const { application } = await save(site, settings, undefined);
      report('application.created', site, application.clientId, { scopes: { before: [], after: application.scopes } });
      return { application, clientSecret };
    },
    async list(site) {
      const applications = (await store.list(site.id, 'Client')).map((client) => applicationOf(client, catalogue));
      return applications.sort((a, b) => a.createdAt - b.createdAt || a.clientId.localeCompare(b.clientId));
    },
    async find(site, clientId) {
      const found = await find(site, clientId);
      return found?.application;
    },
    async update(site, clientId, changes, { version } = {}) {
      const found = await demand(site, clientId);
      const before = found.application;
      const input = checkedInput({ ...before, ...changes }, before.audience, catalogue);
      if (version !== undefined && version !== before.version) throw conflict(before);
      const { audience, confidential, createdAt } = before;
      const isNarrowed = found.isNarrowed || before.scopes.some((scope) => !input.scopes.includes(scope));
      const fixed = { audience, confidential, clientId, createdAt, secretDigest: found.secretDigest };
      const saved = await save(site, { ...input, ...fixed, isNarrowed }, found);
      const scopes = { before: before.scopes, after: saved.application.scopes };
      report('application.changed', site, clientId, { scopes });
      return isNarrowed ? endConnections(store, records, report, site, saved) : saved.application;
    },
    async rotateSecret(site, clientId, { version } = {}) {
      const found = await demand(site, clientId);
      const { application } = found;
      if (!application.confidential) throw new OAuthError('invalid_client', 'a public application has no secret');
      if (version !== undefined && version !== application.version) throw conflict(application);
      const clientSecret = newSecret();
      const secretDigest = digest(clientSecret);
      const saved = await save(site, { ...application, isNarrowed: found.isNarrowed, secretDigest }, found);
      report('application.secret_rotated', site, clientId);
      return { application: saved.application, clientSecret };
    },
    connections: (site, clientId) => store.countGrants(site.id, { clientId }),
    remove: (site, clientId) => removeApplication(store, records, report, site, clientId),
  };
}

/** The application stays marked until this is done: the next change does it if it fails. */
async function endConnections(
  store: RecordStore,
  { save }: ApplicationRecords,
  report: Report,
  site: Site,
  saved: StoredApplication,
): Promise<Application> {
  const { application, secretDigest } = saved;
  const { clientId } = application;
  const connections = await store.revoke(site.id, { clientId });
  if (connections > 0) report('connection.ended', site, clientId, { reason: 'application_changed', connections });
  const settings = { ...application, secretDigest, isNarrowed: false };
  const done = await save(site, settings, saved).catch(passConflict);
  return (done ?? saved).application;
}

async function removeApplication(
  store: RecordStore,
  { find }: ApplicationRecords,
  report: Report,
  site: Site,
  clientId: string,
): Promise<{ connections: number }> {
  mustBeEnabled(site);
  const found = await find(site, clientId);
  if (found) {
    await store.remove(site.id, 'Client', clientId);
    report('application.removed', site, clientId);
  }
  // A removal that failed here before has left connections: the next one ends them.
  const connections = found || isApplicationId(clientId) ? await store.revoke(site.id, { clientId }) : 0;
  if (connections > 0) report('connection.ended', site, clientId, { reason: 'application_removed', connections });
  if (!found && connections === 0) throw unknown(site, clientId);
  return { connections };
}

function mustBeEnabled({ name, connectionsEnabled }: Site): void {
  if (!connectionsEnabled) throw new AccessDenied(`OAuth applications are not enabled at ${name}`, { status: 403 });
}

function unknown({ name }: Site, clientId: string): OAuthError {
  return new OAuthError('invalid_client', `there is no application ${clientId} at ${name}`, { status: 404 });
}

/** Another operator was faster: what they saved carries the mark, so their change ends the connections. */
function passConflict(error: unknown): undefined {
  if (error instanceof OAuthError && error.status === 409) return;
  throw error;
}

function checkedInput(input: ApplicationInput, audience: ClientAudience, catalogue: ScopeCatalogue): ApplicationInput {
  checkApplication(input, audience, catalogue);
  const { clientName, redirectUris, scopes, clientUri } = input;
  return {
    clientName: clientName.trim(),
    redirectUris: [...new Set(redirectUris)],
    scopes: [...new Set(scopes)],
    ...(clientUri !== undefined && { clientUri }),
  };
}
