import { identifyClient } from '../../../core/access/client-rows.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Application, Applications, ListedApplication } from '../../../core/applications/application.ts';
import { VersionConflict, type ExpectedVersion } from '../../../core/clients/expected-version.ts';
import type { Site } from '../../../host/school-platform.ts';
import { epochSeconds } from '../../../kernel/clock.ts';
import type { ClientMetadata } from '../../../records/codec.ts';
import type { RecordStore } from '../../../records/record-store.ts';
import { isApplicationId, newCredentials, newSecret } from './credentials.ts';
import { checkedInput, checkKeys } from './application-input.ts';
import {
  type ApplicationIssuer,
  applicationOf,
  type ApplicationRecords,
  applicationRecords,
  conflict,
  createApplicationIssuer,
  mustBeEnabled,
  type Report,
  type StoredApplication,
  unknown,
} from './application-records.ts';
import { type ListSource, pageOf } from '../../../core/clients/paging.ts';
import { needsNewConsent } from '../../../core/enabled/client-property.ts';
import { markOf, usesOf } from '../../../core/clients/client-metadata.ts';
import { schoolRecords, type SchoolRecordsOptions } from '../../../core/access/school-records.ts';
import { endGrants } from '../../../core/grants/changes.ts';
import type { Enabled } from '../../../core/enabled/enabled.ts';
import type { ScopeCatalogue } from '../../../core/scopes/scopes.ts';
import type { ConnectRequests, AppRequests } from '../../../core/applications/request.ts';
import { createAppRequests } from './requests.ts';
import { digest } from '../../../kernel/crypto.ts';
import { type ApplicationReplay, applicationReplay } from './replayed-application.ts';
import { createOneTimeSecrets, type OneTimeSecrets } from './one-time-secrets.ts';
import type { Settings } from '../../../options/options.ts';
import type { Core } from '../../../core/core.ts';

interface Parts {
  readonly school: SchoolRecordsOptions;
  readonly stored: ApplicationRecords;
  readonly issuer: ApplicationIssuer;
  readonly report: Report;
  /** Ends the connections of an application, and returns how many there were. */
  readonly endAll: (
    site: Pick<Site, 'id'>,
    application: { readonly clientId: string; readonly clientName?: string | undefined },
    reason: 'application_changed' | 'application_removed',
  ) => Promise<number>;
  readonly catalogue: ScopeCatalogue;
  readonly enabled: Enabled;
}

function applicationMethods(parts: Parts): Applications {
  const { school, stored, issuer, report } = parts;
  const { store } = school;
  const { find, demand, save } = stored;
  return {
    create: (site, application) =>
      issuer.create(
        site,
        application,
        newCredentials(application.confidential !== false && application.publicKeys === undefined),
      ),
    list: async (site, query) => pageOf(await applicationSource(parts, site), query),
    find: async (site, clientId) => (await find(site, clientId))?.application,
    async update(site, clientId, changes, { version, by: changedBy } = {}) {
      const found = await demand(site, clientId);
      const before = found.application;
      const input = checkedInput({ ...before, ...changes }, before.audience, parts, before);
      const hadKeys = before.publicKeys !== undefined;
      checkKeys(input.publicKeys !== undefined, hadKeys, hadKeys);
      if (version !== undefined && version !== before.version) throw conflict(before);
      const { audience, confidential, createdBy, app, createdAt } = before;
      const isLess = before.scopes.some((scope) => !input.scopes.includes(scope));
      const isNarrowed = found.isNarrowed || isLess || needsNewConsent(parts.enabled.known.properties, before, input);
      const fixed = { audience, confidential, createdBy, app, clientId, createdAt, secrets: found.secrets };
      const changed = { changedAt: epochSeconds(), changedBy };
      const saved = await save(site, { ...input, ...fixed, ...changed, isNarrowed }, found);
      const scopes = { before: before.scopes, after: saved.application.scopes };
      const reason = isDeepStrictEqual(before.publicKeys, saved.application.publicKeys) ? undefined : 'keys';
      report('application.changed', site, clientId, { scopes, reason });
      return isNarrowed ? endConnections(parts, site, saved) : saved.application;
    },
    rotateSecret: (site, clientId, rotation = {}) =>
      issuer.rotateSecret(site, { clientId, clientSecret: newSecret() }, rotation),
    async secrets(site, clientId) {
      const [found, used] = await Promise.all([
        find(site, clientId),
        store.find(site.id, 'ConnectedClient', digest(clientId)),
      ]);
      const { secretDigest, previous } = found?.secrets ?? {};
      const lastUsedAt = (secret: string) => usesOf(used?.record).get(markOf(secret));
      return [
        ...(secretDigest === undefined ? [] : [{ lastUsedAt: lastUsedAt(secretDigest) }]),
        ...(previous ? [{ validUntil: previous.until, lastUsedAt: lastUsedAt(previous.digest) }] : []),
      ];
    },
    async connections(site, clientId) {
      const [count = 0] = await store.countGrants(site.id, [{ clientId }]);
      return count;
    },
    remove: (site, clientId, expected = {}) => removeApplication(parts, site, clientId, expected),
  };
}

/** Reads lists only, however many applications the school has. */
async function applicationSource(parts: Parts, site: Site): Promise<ListSource<ClientMetadata, ListedApplication>> {
  const { school } = parts;
  const { store, rules } = school;
  const [keys, { active, statusFor }] = await Promise.all([oldestFirst(store, site), schoolRecords(school, site)]);
  return {
    keys,
    async read(clients) {
      const counts = await store.countGrants(
        site.id,
        clients.map((client) => ({ clientId: client.client_id })),
      );
      const describe = async (client: ClientMetadata, i: number): Promise<ListedApplication> => {
        const application = applicationOf(client, parts);
        const status = await statusFor(identifyClient(rules, client.client_id, client));
        return { ...application, people: counts[i] ?? 0, lastActiveAt: active.get(client.client_id)?.at, status };
      };
      return Promise.all(clients.map(describe));
    },
  };
}

async function oldestFirst(store: RecordStore, { id }: Site): Promise<ClientMetadata[]> {
  const all = await store.list(id, 'Client');
  return all.sort(
    (a, b) => (a.client_id_issued_at ?? 0) - (b.client_id_issued_at ?? 0) || (a.client_id < b.client_id ? -1 : 1),
  );
}

/** The application stays marked until this is done: the next change does it if it fails. */
async function endConnections({ stored, endAll }: Parts, site: Site, saved: StoredApplication): Promise<Application> {
  const { application, secrets } = saved;
  await endAll(site, application, 'application_changed');
  try {
    return (await stored.save(site, { ...application, secrets, isNarrowed: false }, saved)).application;
  } catch (error) {
    // Another administrator was faster: what they saved carries the mark, so their change ends the connections.
    if (error instanceof VersionConflict) return application;
    throw error;
  }
}

async function removeApplication(
  { school, stored, report, endAll }: Parts,
  site: Site,
  clientId: string,
  { version }: ExpectedVersion,
): Promise<{ connections: number }> {
  mustBeEnabled(site);
  const { store } = school;
  const found = await stored.find(site, clientId);
  if (found) {
    if (version !== undefined && version !== found.application.version) throw conflict(found.application);
    const isRemoved = await store.remove(site.id, 'Client', clientId, version === undefined ? undefined : found.text);
    const current = isRemoved ? undefined : await stored.find(site, clientId);
    if (current) throw conflict(current.application);
    report('application.removed', site, clientId, { clientName: found.application.clientName });
  }
  // A removal that failed here before has left connections: the next one ends them.
  const removed = found?.application ?? { clientId };
  const connections = found || isApplicationId(clientId) ? await endAll(site, removed, 'application_removed') : 0;
  if (!found && connections === 0) throw unknown(site, clientId);
  return { connections };
}

/** The applications of schools, and what members ask for. */
export interface ApplicationManager {
  readonly applications: Applications;
  readonly issuer: ApplicationIssuer;
  readonly secrets: OneTimeSecrets;
  readonly requests: AppRequests & ConnectRequests;
  readonly replay: ApplicationReplay;
}

declare module '../../parts.ts' {
  interface School {
    readonly applications: ApplicationManager;
  }
}

export function createApplications(
  { catalogue, enabled }: Settings,
  { records, clients, limits, keys, audit, rules, news }: Core,
): ApplicationManager {
  const { store } = records;
  const { onAudit } = audit;
  const report: Report = (action, { id: siteId }, clientId, details) =>
    onAudit({ action, siteId, actor: { kind: 'administrator' }, clientId, ...details });
  const stored = applicationRecords(store, { catalogue, enabled });
  const issuer = createApplicationIssuer(stored, { catalogue, enabled }, report);
  const { lifetimes } = limits;
  const school = { store, lifetimes, rules, connected: clients.connected };
  const endAll: Parts['endAll'] = ({ id: siteId }, { clientId, clientName }, reason) => {
    const details = { actor: { kind: 'administrator' }, reason, clientId, clientName } as const;
    return endGrants({ store, onAudit }, siteId, { clientId }, details);
  };
  const applications = applicationMethods({ school, stored, issuer, report, endAll, catalogue, enabled });
  const requests = createAppRequests({
    store,
    catalogue,
    enabled,
    onAudit,
    applications,
    clients: clients.findStored,
    appIdOf: rules.appIdOf,
    news,
    limit: limits.limitRequests,
  });
  const replay = applicationReplay({ store, stored, report, endAll });
  return { applications, issuer, secrets: createOneTimeSecrets(store, keys), requests, replay };
}
