import { randomBytes } from 'node:crypto';
import { epochSeconds } from '../runtime/clock.ts';
import type { Application, ApplicationInput, IssuedSecret, NewApplication } from '../contracts/application.ts';
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
 * An operator's OAuth applications at a site: member clients. Whoever calls has checked that an operator asks.
 * Everything that writes is refused with `AccessDenied` while the site's `connectionsEnabled` is false.
 * Specification: Registration rules 5.
 */
export interface Applications {
  /**
   * Makes an application; the secret of a confidential one is in this answer and nowhere else.
   *
   * @throws InvalidApplication with everything that is wrong
   */
  create(site: Site, application: NewApplication): Promise<IssuedSecret>;
  /** All of the site, oldest first. */
  list(site: Site): Promise<Application[]>;
  /** One of the site, or `undefined`. */
  find(site: Site, clientId: string): Promise<Application | undefined>;
  /**
   * Changes an application. Taking a scope away ends its connections, so that no token keeps it.
   *
   * @throws InvalidApplication with everything that is wrong, or OAuthError, status 404
   */
  update(site: Site, clientId: string, changes: Partial<ApplicationInput>): Promise<Application>;
  /**
   * Gives a confidential application a new secret; the old one is good for nothing from then on.
   *
   * @throws OAuthError, status 404 when there is no such application, 400 for a public one
   */
  rotateSecret(site: Site, clientId: string): Promise<IssuedSecret>;
  /** How many people are connected to it. */
  connections(site: Site, clientId: string): Promise<number>;
  /** Removes an application with every code and token of it. Answers how many connections it had. */
  remove(site: Site, clientId: string): Promise<{ readonly connections: number }>;
}

type ApplicationStore = Pick<RecordStore, 'find' | 'save' | 'remove' | 'listClients' | 'grantIds' | 'revoke'>;

/** The applications that a store keeps. */
export function createApplications(store: ApplicationStore): Applications {
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
    const record = serializeRecord({
      ...clientMetadata({ ...application, audience: 'member', secretDigest }),
      campus_source: 'application',
      client_id_issued_at: application.createdAt,
    });
    await store.save(site.id, { kind: 'Client', id: application.clientId, record, listed: true });
    return application;
  }

  return {
    async create(site, { confidential, ...input }) {
      mustBeEnabled(site);
      checkApplication(input);
      const clientSecret = confidential ? newSecret() : undefined;
      const clientId = `app-${randomBytes(12).toString('base64url')}`;
      const fields = { ...trimmed(input), confidential, clientId, createdAt: epochSeconds() };
      const application = await save(site, fields, clientSecret && digest(clientSecret));
      return { application, clientSecret };
    },
    async list(site) {
      const clients = await store.listClients(site.id);
      const applications = clients.map(applicationOf);
      return applications.sort((a, b) => a.createdAt - b.createdAt || a.clientId.localeCompare(b.clientId));
    },
    async find(site, clientId) {
      const client = await stored(site, clientId);
      return client && applicationOf(client);
    },
    async update(site, clientId, changes) {
      const client = await demand(site, clientId);
      const before = applicationOf(client);
      const wanted = { ...before, ...changes };
      checkApplication(wanted);
      const input = trimmed(wanted);
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
    connections: async (site, clientId) => (await store.grantIds(site.id, { clientId })).length,
    async remove(site, clientId) {
      await demand(site, clientId);
      await store.remove(site.id, 'Client', clientId);
      return { connections: await store.revoke(site.id, { clientId }) };
    },
  };
}

function mustBeEnabled({ name, connectionsEnabled }: Site): void {
  if (!connectionsEnabled) {
    throw new AccessDenied(`OAuth applications are not enabled at ${name}`, { status: 403 });
  }
}

/** 256 bits: nothing that could be guessed, so that a plain hash of it is safe to keep. */
function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

function trimmed({ clientName, redirectUris, scopes, clientUri }: ApplicationInput): ApplicationInput {
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
    confidential: client.client_secret !== undefined,
    createdAt: client.client_id_issued_at ?? 0,
    ...(client.client_uri !== undefined && { clientUri: client.client_uri }),
  };
}
