import type { ScopeCatalogue } from '../protocol/scopes.ts';
import { epochSeconds } from '../runtime/clock.ts';
import type {
  Application,
  ApplicationInput,
  Applications,
  ExpectedVersion,
  IssuedSecret,
  NewApplication,
} from '../contracts/application.ts';
import type { ClientAudience } from '../contracts/client.ts';
import type { Site } from '../contracts/platform.ts';
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
import type { Credentials } from './one-time-secrets.ts';

/** For the pages, whose forms can be submitted twice: what they create does not depend on which submission wins. */
export interface ApplicationIssuer {
  /** As `create`, with credentials that were made before. `conflict` if there is such an application already. */
  createWith(site: Site, application: NewApplication, credentials: Credentials): Promise<IssuedSecret>;
  /** As `rotateSecret`, to a secret that was made before. */
  rotateTo(site: Site, credentials: Credentials, options?: ExpectedVersion): Promise<IssuedSecret>;
  /** Whether these are the credentials of the application now. */
  hasSecret(site: Site, credentials: Credentials): Promise<boolean>;
}

export function createApplications(store: RecordStore, catalogue: ScopeCatalogue): Applications & ApplicationIssuer {
  const records = applicationRecords(store, catalogue);
  const { find, save } = records;

  async function demand(site: Site, clientId: string): Promise<StoredApplication> {
    mustBeEnabled(site);
    const found = await find(site, clientId);
    if (found) return found;
    throw unknown(site, clientId);
  }

  async function createWith(site: Site, application: NewApplication, credentials: Credentials): Promise<IssuedSecret> {
    mustBeEnabled(site);
    const { confidential, createdBy, audience = 'member', ...input } = application;
    const { clientId, clientSecret } = credentials;
    const secretDigest = clientSecret && digest(clientSecret);
    // Callers in plain JavaScript can pass anything.
    const creator = createdBy == null ? undefined : String(createdBy);
    const fixed = { audience, confidential, createdBy: creator, clientId, createdAt: epochSeconds(), secretDigest };
    const settings = { ...checkedInput(input, audience, catalogue), ...fixed, isNarrowed: false };
    const saved = await save(site, settings, undefined);
    return { application: saved.application, clientSecret };
  }

  async function rotateTo(
    site: Site,
    { clientId, clientSecret = newSecret() }: Credentials,
    { version }: ExpectedVersion = {},
  ): Promise<IssuedSecret> {
    const found = await demand(site, clientId);
    const { application } = found;
    if (!application.confidential) throw new OAuthError('invalid_client', 'a public application has no secret');
    if (version !== undefined && version !== application.version) throw conflict(application);
    const secretDigest = digest(clientSecret);
    const saved = await save(site, { ...application, isNarrowed: found.isNarrowed, secretDigest }, found);
    return { application: saved.application, clientSecret };
  }

  return {
    create: (site, application) => createWith(site, application, newCredentials(application)),
    createWith,
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
      const { audience, confidential, createdBy, createdAt } = before;
      const isNarrowed = found.isNarrowed || before.scopes.some((scope) => !input.scopes.includes(scope));
      const fixed = { audience, confidential, createdBy, clientId, createdAt, secretDigest: found.secretDigest };
      const saved = await save(site, { ...input, ...fixed, isNarrowed }, found);
      return isNarrowed ? endConnections(store, records, site, saved) : saved.application;
    },
    rotateSecret: (site, clientId, options) => rotateTo(site, { clientId, clientSecret: newSecret() }, options),
    rotateTo,
    async hasSecret(site, { clientId, clientSecret }) {
      const found = await find(site, clientId);
      return found !== undefined && found.secretDigest === (clientSecret && digest(clientSecret));
    },
    connections: (site, clientId) => store.countGrants(site.id, { clientId }),
    remove: (site, clientId) => removeApplication(store, records, site, clientId),
  };
}

/** The application stays marked until this is done: the next change does it if it fails. */
async function endConnections(
  store: RecordStore,
  { save }: ApplicationRecords,
  site: Site,
  saved: StoredApplication,
): Promise<Application> {
  const { application, secretDigest } = saved;
  await store.revoke(site.id, { clientId: application.clientId });
  const settings = { ...application, secretDigest, isNarrowed: false };
  const done = await save(site, settings, saved).catch(passConflict);
  return (done ?? saved).application;
}

async function removeApplication(
  store: RecordStore,
  { find }: ApplicationRecords,
  site: Site,
  clientId: string,
): Promise<{ connections: number }> {
  mustBeEnabled(site);
  const found = await find(site, clientId);
  if (found) await store.remove(site.id, 'Client', clientId);
  // A removal that failed here before has left connections: the next one ends them.
  const connections = found || isApplicationId(clientId) ? await store.revoke(site.id, { clientId }) : 0;
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

export function newCredentials({ confidential }: Pick<NewApplication, 'confidential'>): Credentials {
  return { clientId: newClientId(), ...(confidential && { clientSecret: newSecret() }) };
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
