import type { Application } from '../contracts/application.ts';
import type { Site } from '../contracts/platform.ts';
import { AccessDenied, OAuthError } from '../protocol/errors.ts';
import { type ScopeCatalogue, splitScope } from '../protocol/scopes.ts';
import { type ClientMetadata, serializeRecord } from '../records/codec.ts';
import type { RecordStore } from '../records/record-store.ts';
import { digest } from '../runtime/crypto.ts';
import { clientMetadata } from './metadata.ts';

export interface StoredApplication {
  readonly application: Application;
  readonly secretDigest: string | undefined;
  /** Whether it lost a scope, and its connections from before have not been ended yet. */
  readonly isNarrowed: boolean;
  /** As it is stored. */
  readonly text: string;
}

type Settings = Omit<Application, 'version'> & Pick<StoredApplication, 'secretDigest' | 'isNarrowed'>;

type Finder<T> = (site: Site, clientId: string) => Promise<T>;

export interface ApplicationRecords {
  readonly find: Finder<StoredApplication | undefined>;
  /** @throws OAuthError with status 404 for an unknown application; AccessDenied while applications are not enabled */
  readonly demand: Finder<StoredApplication>;
  /**
   * Writes over the version that was read; a new application over none.
   *
   * @throws OAuthError `conflict`, status 409, if there is another version by now
   */
  readonly save: (
    site: Site,
    settings: Settings,
    replaces: StoredApplication | undefined,
  ) => Promise<StoredApplication>;
}

export function applicationRecords(
  store: Pick<RecordStore, 'find' | 'save'>,
  catalogue: ScopeCatalogue,
): ApplicationRecords {
  const find: Finder<StoredApplication | undefined> = async (site, clientId) => {
    const found = await store.find(site.id, 'Client', clientId);
    if (found?.record.campus_source !== 'application') return undefined;
    const { record, text } = found;
    const isNarrowed = record.campus_narrowed === true;
    return { application: applicationOf(record, catalogue), secretDigest: record.client_secret, isNarrowed, text };
  };

  return {
    find,
    async demand(site, clientId) {
      mustBeEnabled(site);
      const found = await find(site, clientId);
      if (found) return found;
      throw unknown(site, clientId);
    },
    async save(site, { secretDigest, isNarrowed, ...application }, replaces) {
      const client: ClientMetadata = {
        ...clientMetadata({ ...application, secretDigest }),
        campus_source: 'application',
        client_id_issued_at: application.createdAt,
        ...(application.createdBy !== undefined && { campus_created_by: application.createdBy }),
        ...(isNarrowed && { campus_narrowed: true }),
      };
      const text = serializeRecord(client);
      const entry = { kind: 'Client', id: application.clientId, record: text, listed: true } as const;
      if (!(await store.save(site.id, { ...entry, replaces: replaces?.text ?? null }))) throw conflict(application);
      return { application: { ...application, version: versionOf(client) }, secretDigest, isNarrowed, text };
    },
  };
}

export function mustBeEnabled({ name, connectionsEnabled }: Site): void {
  if (!connectionsEnabled) throw new AccessDenied(`OAuth applications are not enabled at ${name}`, { status: 403 });
}

export function unknown({ name }: Site, clientId: string): OAuthError {
  return new OAuthError('invalid_client', `there is no application ${clientId} at ${name}`, { status: 404 });
}

export function conflict({ clientId }: Pick<Application, 'clientId'>): OAuthError {
  const text = `another operator has changed ${clientId} in the meantime, so nothing was changed now; look at it again`;
  return new OAuthError('conflict', text, { status: 409 });
}

/** A digest of everything that is stored. */
function versionOf(client: ClientMetadata): string {
  return digest(serializeRecord(client));
}

export function applicationOf(client: ClientMetadata, { has }: ScopeCatalogue): Application {
  return {
    clientId: client.client_id,
    clientName: client.client_name ?? '',
    redirectUris: client.redirect_uris ?? [],
    scopes: splitScope(client.scope).filter(has),
    audience: client.campus_audience ?? 'member',
    confidential: client.client_secret !== undefined,
    createdAt: client.client_id_issued_at ?? 0,
    version: versionOf(client),
    ...(client.client_uri !== undefined && { clientUri: client.client_uri }),
    ...(client.campus_created_by !== undefined && { createdBy: client.campus_created_by }),
  };
}
