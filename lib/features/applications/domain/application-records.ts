import type { AuditAction, AuditDetails } from '../../../observe/audit-event.ts';
import { checkedInput, type Checking, checkKeys } from './application-input.ts';
import { epochSeconds } from '../../../kernel/clock.ts';
import type {
  Application,
  IssuedSecret,
  NewApplication,
  SecretRotation,
} from '../../../core/applications/application.ts';
import type { ClientAudience } from '../../../core/clients/client.ts';
import type { Site } from '../../../host/school-platform.ts';
import { publicKeysOf } from '../../../core/keys/public-keys.ts';
import { VersionConflict } from '../../../core/clients/expected-version.ts';
import { AccessDenied, OAuthError } from '../../../kernel/errors.ts';
import { isKnownAppId, appNamed } from '../../../core/known-apps/known-apps.ts';
import { splitScope } from '../../../core/scopes/scopes.ts';
import { type ClientMetadata, serializeRecord } from '../../../records/codec.ts';
import type { RecordStore } from '../../../records/record-store.ts';
import { digest } from '../../../kernel/crypto.ts';
import { assertionAudienceOf } from '../../../core/clients/assertion-audience.ts';
import { keysOf } from '../../../core/clients/client-keys.ts';
import { type Credentials, newSecret } from './credentials.ts';
import { signInOf } from '../../../core/clients/sign-in-client.ts';
import { storedGrantMembers } from '../../../core/clients/client-grant-types.ts';
import {
  audienceOf,
  clientMetadata,
  appOf,
  secretDigests,
  type SecretDigests,
} from '../../../core/clients/client-metadata.ts';
import { propertiesOf } from '../../../core/enabled/client-property.ts';

export interface StoredApplication {
  readonly application: Application;
  readonly secrets: SecretDigests;
  /** Whether it lost a scope, and its connections from before have not been ended yet. */
  readonly isNarrowed: boolean;
  readonly text: string;
}

type Settings = Omit<Application, 'version'> & Pick<StoredApplication, 'secrets' | 'isNarrowed'>;

/** What their records need of a school. */
type SchoolId = Pick<Site, 'id'>;

type Finder<T> = (site: Site, clientId: string) => Promise<T>;

export interface ApplicationRecords {
  readonly find: (site: SchoolId, clientId: string) => Promise<StoredApplication | undefined>;
  /** @throws OAuthError with status 404 for an unknown application; AccessDenied while applications are not enabled */
  readonly demand: Finder<StoredApplication>;
  /** Writes over the version that was read. @throws VersionConflict if there is another one by now */
  readonly save: (
    site: SchoolId,
    settings: Settings,
    replaces: StoredApplication | undefined,
  ) => Promise<StoredApplication>;
}

export function applicationRecords(store: RecordStore, checking: Checking): ApplicationRecords {
  const { known } = checking.enabled;
  const find: ApplicationRecords['find'] = async (site, clientId) => {
    const found = await store.find(site.id, 'Client', clientId);
    if (found?.record.campus_source !== 'application') return undefined;
    const { record, text } = found;
    const isNarrowed = record.campus_narrowed === true;
    const secrets = secretDigests(record, record.client_secret);
    return { application: applicationOf(record, checking), secrets, isNarrowed, text };
  };

  return {
    find,
    async demand(site, clientId) {
      mustBeEnabled(site);
      const found = await find(site, clientId);
      if (found) return found;
      throw unknown(site, clientId);
    },
    async save(site, { secrets, isNarrowed, ...application }, replaces) {
      const app = appNamed(application.app);
      const client: ClientMetadata = {
        ...clientMetadata(known, { ...application, ...secrets }),
        ...(app && { campus_app: { ...app, verified: false } }),
        campus_source: 'application',
        client_id_issued_at: application.createdAt,
        ...(application.createdBy !== undefined && { campus_created_by: application.createdBy }),
        ...(application.changedAt !== undefined && { campus_changed_at: application.changedAt }),
        ...(application.changedBy !== undefined && { campus_changed_by: application.changedBy }),
        ...(isNarrowed && { campus_narrowed: true }),
      };
      const record = serializeRecord('Client', client);
      const entry = { kind: 'Client', id: application.clientId, record, listed: true } as const;
      if (!(await store.save(site.id, { ...entry, replaces: replaces?.text ?? null }))) {
        throw conflict((await find(site, application.clientId))?.application ?? application);
      }
      return { application: { ...application, version: versionOf(client) }, secrets, isNarrowed, text: record };
    },
  };
}

export function mustBeEnabled({ name, connectionsEnabled }: Site): void {
  if (!connectionsEnabled) throw new AccessDenied(`OAuth applications are not enabled at ${name}`, { status: 403 });
}

export function unknown({ name }: Site, clientId: string): OAuthError {
  return new OAuthError('invalid_client', `there is no application ${clientId} at ${name}`, { status: 404 });
}

/** What an application says of its last change. */
interface ChangedApplication {
  readonly clientId: string;
  readonly createdAt: number;
  readonly createdBy?: string | undefined;
  readonly changedAt?: number | undefined;
  readonly changedBy?: string | undefined;
}

/** @param current - the application as it is now */
export function conflict(current: ChangedApplication): VersionConflict {
  const { clientId, createdAt, createdBy, changedAt, changedBy } = current;
  const decided = changedAt === undefined ? { at: createdAt, by: createdBy } : { at: changedAt, by: changedBy };
  return new VersionConflict(`the application ${clientId}`, decided);
}

function versionOf(client: ClientMetadata): string {
  return digest(JSON.stringify(client));
}

export function applicationOf(
  client: ClientMetadata,
  { catalogue: { has }, enabled: { known } }: Checking,
): Application {
  const app = appOf(client)?.id;
  const keys = publicKeysOf(keysOf(client));
  const assertionAudience = assertionAudienceOf(client);
  const signIn = signInOf(client);
  return {
    clientId: client.client_id,
    clientName: client.client_name ?? '',
    redirectUris: client.redirect_uris ?? [],
    scopes: splitScope(client.scope).filter(has),
    audience: audienceOf(client),
    confidential: client.client_secret !== undefined || keys !== undefined,
    createdAt: client.client_id_issued_at ?? 0,
    version: versionOf(client),
    ...(client.client_uri !== undefined && { clientUri: client.client_uri }),
    ...(keys !== undefined && { publicKeys: keys }),
    ...(assertionAudience !== undefined && { assertionAudience }),
    ...storedGrantMembers(known, client),
    ...(signIn && { signIn }),
    ...propertiesOf(known.properties, client),
    ...(client.campus_created_by !== undefined && { createdBy: client.campus_created_by }),
    ...(client.campus_changed_at !== undefined && { changedAt: client.campus_changed_at }),
    ...(client.campus_changed_by !== undefined && { changedBy: client.campus_changed_by }),
    ...(app !== undefined && isKnownAppId(app) && { app }),
  };
}

interface GivenApplication extends Omit<NewApplication, 'audience' | 'redirectUris' | 'confidential'> {
  readonly audience?: ClientAudience | undefined;
  readonly redirectUris?: readonly string[] | undefined;
  readonly confidential?: boolean | undefined;
}

/** Creates and rotates with credentials that were made before: a form that is submitted twice must create one thing. */
export interface ApplicationIssuer {
  create(site: Site, application: GivenApplication, credentials: Credentials): Promise<IssuedSecret>;
  rotateSecret(site: Site, credentials: Credentials, rotation: SecretRotation): Promise<IssuedSecret>;
  hasSecret(site: Site, credentials: Credentials): Promise<boolean>;
}

export function createApplicationIssuer(
  { find, demand, save }: ApplicationRecords,
  checking: Checking,
  report: Report,
): ApplicationIssuer {
  return {
    async create(site, { createdBy, app, audience = 'member', redirectUris = [], ...given }, credentials) {
      const { clientId, clientSecret } = credentials;
      mustBeEnabled(site);
      const { confidential = true, ...settings } = given;
      const input = { ...settings, redirectUris };
      const hasKeys = input.publicKeys !== undefined;
      checkKeys(hasKeys, confidential, confidential && clientSecret === undefined);
      const secret = hasKeys ? undefined : clientSecret;
      const secrets = { secretDigest: secret && digest(secret) };
      // Callers in plain JavaScript can pass anything.
      const creator = typeof createdBy === 'string' ? createdBy : undefined;
      const who = { audience, confidential, createdBy: creator, app };
      const fixed = { ...who, clientId, createdAt: epochSeconds(), secrets };
      const checked = { ...checkedInput(input, audience, checking), ...fixed, isNarrowed: false };
      const { application } = await save(site, checked, undefined);
      report('application.created', site, clientId, { scopes: { before: [], after: application.scopes } });
      return { application, clientSecret: secret };
    },
    async rotateSecret(site, { clientId, clientSecret = newSecret() }, { version, by: changedBy, overlap = 0 }) {
      const found = await demand(site, clientId);
      const { application } = found;
      if (application.publicKeys) throw new OAuthError('invalid_client', 'an application with keys has no secret');
      if (!application.confidential) throw new OAuthError('invalid_client', 'a public application has no secret');
      if (version !== undefined && version !== application.version) throw conflict(application);
      const { secretDigest: old } = found.secrets;
      const previous = old !== undefined && overlap > 0 ? { digest: old, until: epochSeconds() + overlap } : undefined;
      const secrets = { secretDigest: digest(clientSecret), previous };
      const changed = { changedAt: epochSeconds(), changedBy };
      const saved = await save(site, { ...application, ...changed, isNarrowed: found.isNarrowed, secrets }, found);
      report('application.secret_rotated', site, clientId, previous && { reason: 'overlap' });
      return { application: saved.application, clientSecret };
    },
    async hasSecret(site, { clientId, clientSecret }) {
      const found = await find(site, clientId);
      return found !== undefined && found.secrets.secretDigest === (clientSecret && digest(clientSecret));
    },
  };
}

export type Report = (action: AuditAction, site: SchoolId, clientId: string, details?: Partial<AuditDetails>) => void;
