import { randomBytes } from 'node:crypto';
import { epochSeconds } from '../runtime/clock.ts';
import type { Application, ApplicationInput, IssuedSecret, NewApplication } from '../contracts/application.ts';
import type { ClientAudience } from '../contracts/client.ts';
import type { Site } from '../contracts/platform.ts';
import { digest } from '../runtime/crypto.ts';
import { AccessDenied, OAuthError } from '../protocol/errors.ts';
import { isScope, splitScope } from '../protocol/scopes.ts';
import { serializeRecord } from '../records/codec.ts';
import type { ClientMetadata } from '../records/kinds.ts';
import type { RecordStore } from '../records/record-store.ts';
import { checkApplication } from './application-input.ts';
import { clientMetadata } from './metadata.ts';

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
   * Changes an application, but not its audience. Removing a scope ends all its connections, so that no token keeps that scope.
   *
   * @throws InvalidApplication with everything that is wrong; OAuthError with status 404 for an unknown application
   */
  update(site: Site, clientId: string, changes: Partial<ApplicationInput>): Promise<Application>;
  /**
   * Replaces the secret of a confidential application. The old secret is invalid immediately.
   *
   * @throws OAuthError with status 404 for an unknown application, 400 for a public one
   */
  rotateSecret(site: Site, clientId: string): Promise<IssuedSecret>;
  /** The number of people who are connected to it. */
  connections(site: Site, clientId: string): Promise<number>;
  /** Removes an application with all its codes and tokens. Returns how many connections it had. */
  remove(site: Site, clientId: string): Promise<{ readonly connections: number }>;
}

export function createApplications(store: RecordStore): Applications {
  async function stored(site: Site, clientId: string): Promise<ClientMetadata | undefined> {
    const found = await store.find(site.id, 'Client', clientId);
    return found?.record.campus_source === 'application' ? found.record : undefined;
  }

  async function demand(site: Site, clientId: string): Promise<ClientMetadata> {
    mustBeEnabled(site);
    const client = await stored(site, clientId);
    if (client) return client;
    throw new OAuthError('invalid_client', `there is no application ${clientId} at ${site.name}`, { status: 404 });
  }

  async function save(site: Site, application: Application, secretDigest: string | undefined): Promise<Application> {
    const metadata = clientMetadata({ ...application, secretDigest });
    const origin = { campus_source: 'application', client_id_issued_at: application.createdAt };
    const record = serializeRecord({ ...metadata, ...origin });
    await store.save(site.id, { kind: 'Client', id: application.clientId, record, listed: true });
    return application;
  }

  return {
    async create(site, { confidential, audience = 'member', ...input }) {
      mustBeEnabled(site);
      const clientSecret = confidential ? newSecret() : undefined;
      const fixed = { audience, confidential, clientId: newClientId(), createdAt: epochSeconds() };
      const application = { ...checkedInput(input, audience), ...fixed };
      await save(site, application, clientSecret && digest(clientSecret));
      return { application, clientSecret };
    },
    async list(site) {
      const applications = (await store.list(site.id, 'Client')).map(applicationOf);
      return applications.sort((a, b) => a.createdAt - b.createdAt || a.clientId.localeCompare(b.clientId));
    },
    async find(site, clientId) {
      const client = await stored(site, clientId);
      return client && applicationOf(client);
    },
    async update(site, clientId, changes) {
      const client = await demand(site, clientId);
      const before = applicationOf(client);
      const input = checkedInput({ ...before, ...changes }, before.audience);
      const application = await save(site, { ...before, ...input }, client.client_secret);
      if (before.scopes.some((scope) => !application.scopes.includes(scope))) await store.revoke(site.id, { clientId });
      return application;
    },
    async rotateSecret(site, clientId) {
      const application = applicationOf(await demand(site, clientId));
      if (!application.confidential) throw new OAuthError('invalid_client', 'a public application has no secret');
      const clientSecret = newSecret();
      return { application: await save(site, application, digest(clientSecret)), clientSecret };
    },
    connections: (site, clientId) => store.countGrants(site.id, { clientId }),
    async remove(site, clientId) {
      await demand(site, clientId);
      await store.remove(site.id, 'Client', clientId);
      return { connections: await store.revoke(site.id, { clientId }) };
    },
  };
}

function mustBeEnabled({ name, connectionsEnabled }: Site): void {
  if (!connectionsEnabled) throw new AccessDenied(`OAuth applications are not enabled at ${name}`, { status: 403 });
}

function newClientId(): string {
  return `app-${randomBytes(12).toString('base64url')}`;
}

/** 256 random bits cannot be guessed, so an unsalted hash is safe to store. */
function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

function checkedInput(input: ApplicationInput, audience: ClientAudience): ApplicationInput {
  checkApplication(input, audience);
  const { clientName, redirectUris, scopes, clientUri } = input;
  return {
    clientName: clientName.trim(),
    redirectUris: [...new Set(redirectUris)],
    scopes: [...new Set(scopes)],
    ...(clientUri !== undefined && { clientUri }),
  };
}

function applicationOf(client: ClientMetadata): Application {
  return {
    clientId: client.client_id,
    clientName: client.client_name ?? '',
    redirectUris: client.redirect_uris ?? [],
    scopes: splitScope(client.scope).filter(isScope),
    audience: client.campus_audience ?? 'member',
    confidential: client.client_secret !== undefined,
    createdAt: client.client_id_issued_at ?? 0,
    ...(client.client_uri !== undefined && { clientUri: client.client_uri }),
  };
}
