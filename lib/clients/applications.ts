import { randomBytes } from 'node:crypto';
import type { ScopeCatalogue } from '../protocol/scopes.ts';
import { epochSeconds } from '../runtime/clock.ts';
import type { Application, ApplicationInput, IssuedSecret, NewApplication } from '../contracts/application.ts';
import type { ClientAudience } from '../contracts/client.ts';
import type { Site } from '../contracts/platform.ts';
import { digest } from '../runtime/crypto.ts';
import { AccessDenied, OAuthError } from '../protocol/errors.ts';
import type { RecordStore } from '../records/record-store.ts';
import { checkApplication } from './application-input.ts';
import { applicationOf, applicationRecords, conflict, type StoredApplication } from './application-records.ts';

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
   * With `version`, only if the application still has that version: what someone saw is what they change.
   *
   * @throws InvalidApplication with everything that is wrong; OAuthError with status 404 for an unknown application, with
   * status 409 `conflict` if it has another version, or changed at the same moment
   */
  update(
    site: Site,
    clientId: string,
    changes: Partial<ApplicationInput>,
    options?: { readonly version?: string | undefined },
  ): Promise<Application>;
  /**
   * Replaces the secret of a confidential application. The old secret is invalid immediately.
   *
   * @throws OAuthError with status 404 for an unknown application, 400 for a public one, 409 `conflict` if it changed at the
   * same moment
   */
  rotateSecret(site: Site, clientId: string): Promise<IssuedSecret>;
  /** The number of people who are connected to it. */
  connections(site: Site, clientId: string): Promise<number>;
  /** Removes an application with all its codes and tokens. Returns how many connections it had. */
  remove(site: Site, clientId: string): Promise<{ readonly connections: number }>;
}

export function createApplications(store: RecordStore, catalogue: ScopeCatalogue): Applications {
  const { find, save } = applicationRecords(store, catalogue);

  async function demand(site: Site, clientId: string): Promise<StoredApplication> {
    mustBeEnabled(site);
    const found = await find(site, clientId);
    if (found) return found;
    throw new OAuthError('invalid_client', `there is no application ${clientId} at ${site.name}`, { status: 404 });
  }

  return {
    async create(site, { confidential, audience = 'member', ...input }) {
      mustBeEnabled(site);
      const clientSecret = confidential ? newSecret() : undefined;
      const secretDigest = clientSecret && digest(clientSecret);
      const fixed = { audience, confidential, clientId: newClientId(), createdAt: epochSeconds(), secretDigest };
      const application = await save(site, { ...checkedInput(input, audience, catalogue), ...fixed }, undefined);
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
      const fixed = { audience, confidential, clientId, createdAt, secretDigest: found.secretDigest };
      const application = await save(site, { ...input, ...fixed }, found);
      if (before.scopes.some((scope) => !application.scopes.includes(scope))) await store.revoke(site.id, { clientId });
      return application;
    },
    async rotateSecret(site, clientId) {
      const found = await demand(site, clientId);
      const { application } = found;
      if (!application.confidential) throw new OAuthError('invalid_client', 'a public application has no secret');
      const clientSecret = newSecret();
      return {
        application: await save(site, { ...application, secretDigest: digest(clientSecret) }, found),
        clientSecret,
      };
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
