import { randomBytes } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import Koa from 'koa';
import { featuresInTests } from '../features/features.ts';
import { campusOf } from '../campus.ts';
import { type Campus, partsOf } from '../public/campus.ts';
import type { Member, SchoolPlatform, Site } from '../host/school-platform.ts';
import type { Store } from '../records/store.ts';
import type { Settings } from '../options/options.ts';
import { type ClientMetadata, parseRecord, serializeRecord } from '../records/codec.ts';
import { digest } from '../kernel/crypto.ts';
import { emitAudit, emitFault } from '../observe/events.ts';
import type { Core } from '../core/core.ts';
import { inProcessFetch } from './in-process-fetch.ts';
import { settingsWithoutKeys, withSecret } from './without-keys.ts';

/** A school, or its origin. */
export type SchoolOrOrigin = { readonly origin: string } | string;

/** Who is signed in, and where. */
export interface SignedIn {
  /** The school, or its origin. */
  readonly site: SchoolOrOrigin;
  readonly memberId: string;
  /** As the platform would say it. @default not known */
  readonly acr?: string | undefined;
  /** In whole seconds since the epoch. @default now */
  readonly authTime?: number | undefined;
}

/** A campus at which one member is signed in. It can be called in this process only. @internal */
export interface SignedInCampus {
  readonly site: Site;
  readonly member: Member;
  readonly settings: Settings;
  /** For the addresses of the school. */
  readonly fetch: typeof fetch;
  /** A client of the school, with the secret that it has here. */
  client(clientId: string): Promise<{ readonly metadata: ClientMetadata; readonly secret: string | undefined }>;
  /** Puts a metadata document that is widely used where it would be after a fetch, so that none is needed. */
  readonly storeDocument: (clientId: string) => Promise<void>;
}

/**
 * Makes a second campus with the options of the first, on its store and with its keys, whose platform says that this member is
 * signed in. So nothing of what is issued here differs from what the first campus issues. Its events are those of the first, which calls the
 * hooks and keeps them in its log.
 *
 * @throws TypeError that says which argument is wrong
 * @internal
 */
export async function signedInCampus(campus: Campus, signedIn: SignedIn): Promise<SignedInCampus> {
  const original = partsOf(campus);
  if (!original) {
    throw new TypeError('campus must be what createCampus returned, of the same copy of campus-oidc as this function');
  }
  const secret = randomBytes(32).toString('base64url');
  const store = storeWithSecret(original.settings.store, secret);
  const platform = platformOf(original.settings.platform, signedIn);
  const changes = { store, platform, limits: false, hooks: {} } as const;
  const settings = { ...settingsWithoutKeys(original.settings, secret), ...changes };
  // One log for both, which the first campus closes.
  const copy = campusOf(settings, { ...original.log, close: async () => {} });
  copy.events.on('audit', (event) => emitAudit(campus.events, event));
  copy.events.on('fault', (event) => emitFault(campus.events, event));
  const { core } = partsOf(copy) ?? original;
  const { site, member } = await parties(core, signedIn);
  original.core.host.findSite.note(site);
  const app = new Koa({ proxy: true });
  const storeDocument = async (clientId: string): Promise<void> => {
    for (const { storeClient } of featuresInTests) await storeClient(settings, core.records, clientId);
  };
  return {
    site,
    member,
    settings,
    fetch: inProcessFetch(copy.middleware(), app),
    async client(clientId) {
      await storeDocument(clientId);
      const metadata = await findClient(core, app, site, clientId);
      const inCode = settings.clients.find((known) => known.clientId === clientId)?.clientSecret;
      return { metadata, secret: metadata.client_secret === undefined ? undefined : (inCode ?? secret) };
    },
    storeDocument,
  };
}

/**
 * The store, in which every stored confidential client has this secret: only the digests of the real ones are stored, and no private key. Clients are
 * written as they were.
 */
function storeWithSecret(store: Store, secret: string): Store {
  const find: Store['find'] = async (siteId, kind, id) => {
    const found = await store.find(siteId, kind, id);
    if (!found || kind !== 'Client') return found;
    const client = withSecret(parseRecord('Client', found.record), digest(secret));
    return client ? { ...found, record: serializeRecord(kind, client) } : found;
  };
  return {
    find,
    save: store.save.bind(store),
    remove: store.remove.bind(store),
    redeem: store.redeem.bind(store),
    list: store.list.bind(store),
    consumeQuota: store.consumeQuota.bind(store),
    grantIds: store.grantIds.bind(store),
    countGrants: store.countGrants.bind(store),
    clientsByUse: store.clientsByUse.bind(store),
    grantsOf: store.grantsOf.bind(store),
    endFamily: store.endFamily.bind(store),
    revoke: store.revoke.bind(store),
    ping: store.ping.bind(store),
    deadline: store.deadline,
  };
}

function platformOf(platform: SchoolPlatform, { memberId, acr, authTime }: SignedIn): SchoolPlatform {
  return {
    acrValues: platform.acrValues,
    findSite: (origin) => platform.findSite(origin),
    signedInMember: () => ({ memberId, acr, authTime }),
    signInUrl: (_ctx, { origin }) => `${origin}/sign-in`,
    findMember: (site, id) => platform.findMember(site, id),
  };
}

async function parties(
  { host: { findSite, platform } }: Core,
  { site: given, memberId }: SignedIn,
): Promise<{ readonly site: Site; readonly member: Member }> {
  const origin = typeof given === 'string' ? given : given.origin;
  const site = await findSite(origin);
  if (!site) {
    throw new TypeError(
      `site must be a school of the platform, or its origin; platform.findSite(${JSON.stringify(origin)}) found none`,
    );
  }
  const member = await platform.findMember(site, memberId);
  if (member) return { site, member };
  throw new TypeError(
    `memberId must be a member of ${site.id}; platform.findMember found none for ${JSON.stringify(memberId)}`,
  );
}

async function findClient({ clients }: Core, app: Koa, site: Site, clientId: string): Promise<ClientMetadata> {
  const message = new IncomingMessage(new Socket());
  const ctx = app.createContext(message, new ServerResponse(message));
  const found = await clients.find(site.id, clientId, { purpose: 'continue', ctx, site }).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`clientId must be a client of ${site.id}, but ${clientId} is refused: ${reason}`, { cause });
  });
  if (found) return found;
  throw new TypeError(
    `clientId must be a client of ${site.id}; ${JSON.stringify(clientId)} is not in createCampus({ clients }), not registered there and no application of that school`,
  );
}
