import { type IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { Provider } from 'oidc-provider';
import type { Permission } from '../core/access/permission.ts';
import { refusedOutright } from '../core/access/steps.ts';
import { clientUse, documentUse, type UsedClient } from '../core/access/used-client.ts';
import type { LookUps } from '../core/access/look-ups.ts';
import { expectRule, type RuledClient, type SchoolSays } from '../core/access/school-rules.ts';
import type { PermissionLookups, PresentedToken, TokenPermission } from '../core/access/token-permission.ts';
import type { Core } from '../core/core.ts';
import { isFirstParty, recordedApp } from '../core/clients/client-metadata.ts';
import { type Enabled, startedAt } from '../core/enabled/enabled.ts';
import type { Lifetimes } from '../core/limits/limits.ts';
import type { Member, PlatformSession, Site } from '../host/school-platform.ts';
import type { denial } from '../core/access/operator-and-admin-roles.ts';
import { endOfPerson } from '../core/grants/person-gone.ts';
import { judgeAtRefresh } from '../core/grants/judged-grants.ts';
import type { PendingRedemption } from '../core/grants/redemption.ts';
import { sentAuthorization } from '../http/authorization.ts';
import type { Form } from '../http/body.ts';
import type { AuthorizationRefusal } from '../observe/authorization-refusals.ts';
import { isMetadataDocumentId } from '../core/clients/client-id.ts';
import { splitScope } from '../core/scopes/scopes.ts';
import { paths } from '../http/paths.ts';
import { type ClientMetadata, grantIdOf } from '../records/codec.ts';
import type { RecordReader } from '../records/record-reader.ts';
import type { ProofMethod } from './engine-feature.ts';
import { type Sender, senderOf } from './claimed-client.ts';
import { EngineRecords } from './engine-records.ts';
import { ownEntry } from '../kernel/own-entry.ts';

/** What each endpoint looks clients up for, unless its route says so; the pages of an interaction, and the engine when it resumes, continue. */
const purposes: Readonly<Partial<Record<string, Purpose>>> = {
  [paths.authorize]: 'start',
  [paths.revoke]: 'identify',
  [paths.introspect]: 'identify',
};

type Purpose = 'start' | 'continue' | 'identify';

/** What a route tells about its request. */
export interface RequestUse {
  readonly redemption?: PendingRedemption | undefined;
  readonly purpose?: Purpose;
  readonly hasForm?: boolean;
}

/** What a request of the engine looks things up in. */
export interface RequestSources {
  readonly core: Core;
  readonly enabled: Enabled;
  /** Those of the features that are on. */
  readonly proofs: readonly ProofMethod[];
}

/** An authorization request that is refused, with its parameters. */
export interface RefusedRequest {
  readonly reason: AuthorizationRefusal;
  readonly params: Readonly<Record<string, unknown>>;
  /** Whom the proof of an app is for, if that is why. */
  readonly audiences?: readonly unknown[] | undefined;
}

/** A person who may not use a client, while another one may. */
export interface Denial {
  readonly member: Member | undefined;
  readonly reason: keyof typeof denial;
  readonly params: Readonly<Record<string, unknown>>;
  /** Where people read which apps they can use, if the request is for an address of members. */
  readonly helpUrl: string | undefined;
}

/** One HTTP request that the engine handles. Its look-ups are made once, however often the engine asks. */
export class EngineRequest implements PermissionLookups {
  readonly ctx: Context;
  readonly site: Site;
  readonly lifetimes: Lifetimes;
  readonly redemption: PendingRedemption | undefined;
  readonly purpose: Purpose;
  /** Whether the engine shows a person a form, which belongs to its session. */
  readonly hasForm: boolean;
  readonly records: EngineRecords;
  /** Whether a first-party client got its grant without a consent; `undefined` if that was not tried. */
  consented: boolean | undefined;
  /** Why the signed-in person may not use the client. */
  denied: Denial | undefined;
  /** Why it was refused, until that is reported: see `refusal-events.ts`. What comes last is what is shown. */
  refused: RefusedRequest | undefined;
  /** The mark of the secret or key with which the client has authenticated. */
  secret: string | undefined;
  /** Whether a hint was left out that the engine cannot verify: who is signed in has to be asked. */
  hintIsLost = false;
  form: Form = {};
  readonly #sources: RequestSources;
  readonly #reader: RecordReader;
  #sender: Sender | undefined;
  #signedIn: Promise<PlatformSession | undefined> | undefined;
  #permission: Promise<TokenPermission> | undefined;
  readonly #members = new Map<string, Promise<Member | undefined>>();
  readonly #clients = new Map<string, Promise<ClientMetadata | undefined>>();
  readonly #engineClients = new Map<string, Promise<ClientMetadata | undefined>>();
  readonly #apps = new Map<string, string>();
  readonly #lookUps = new Map<string, LookUps>();
  readonly #rules = new Map<string, Promise<SchoolSays>>();
  readonly #permits = new Map<string, Promise<Permission>>();

  constructor(ctx: Context, site: Site, sources: RequestSources, use: RequestUse = {}) {
    this.ctx = ctx;
    this.site = site;
    this.lifetimes = sources.core.limits.lifetimes(site);
    this.redemption = use.redemption;
    this.purpose = use.purpose ?? ownEntry(purposes, ctx.path) ?? 'continue';
    this.hasForm = use.hasForm ?? false;
    this.#sources = sources;
    const { store } = sources.core.records;
    this.#reader = store.reader(site.id);
    this.records = new EngineRecords(this, store, this.#reader);
  }

  get sender(): Sender {
    this.#sender ??= senderOf(this.#sources.proofs, this.ctx, this.form);
    return this.#sender;
  }

  /** What the engine reads in place of the live request. */
  message(url: string, origin: URL, form?: string): IncomingMessage {
    return new EngineMessage(this, { url, origin, form });
  }

  signedIn(): Promise<PlatformSession | undefined> {
    this.#signedIn ??= this.#sources.core.host.platform.signedInMember(this.ctx, this.site);
    return this.#signedIn;
  }

  /** The person needs one of these as `acr`; none if the platform has no such values, and `acr_values` is a wish. RFC 9470 section 5. */
  neededAcr({ acr_values: sent }: Readonly<Record<string, unknown>>): readonly string[] {
    const { acrValues } = this.#sources.core.host.platform;
    return acrValues.length > 0 && typeof sent === 'string' ? splitScope(sent) : [];
  }

  member(memberId: string): Promise<Member | undefined> {
    return once(this.#members, memberId, () => this.#sources.core.host.platform.findMember(this.site, memberId));
  }

  /** The path at which an interaction started. */
  startPathOf(interaction: object): string {
    return startedAt(this.#sources.enabled.known, interaction)?.path ?? paths.authorize;
  }

  /** A failed look-up is remembered too: the error page does not fetch a metadata document again. */
  client(clientId: string): Promise<ClientMetadata | undefined> {
    const { ctx, purpose } = this;
    const lookup =
      purpose !== 'identify'
        ? { purpose, ctx, site: this.site }
        : clientId === this.sender.clientId
          ? 'authenticate'
          : 'identify';
    return once(this.#clients, clientId, async () => {
      const { find, resourceServer } = this.#sources.core.clients;
      // Resource servers exist at the introspection endpoint alone, so they get no token anywhere else.
      const asking = this.ctx.path === paths.introspect ? resourceServer(this.site.id, clientId) : undefined;
      const client = asking ?? (await find(this.site.id, clientId, lookup));
      const app = client && recordedApp(client);
      if (app !== undefined) this.#apps.set(clientId, app);
      return client;
    });
  }

  /** A client that is only identified comes without its document. */
  document(clientId: string): Promise<ClientMetadata | undefined> {
    if (this.purpose !== 'identify') return this.client(clientId);
    return this.#sources.core.clients.findStored(this.site.id, clientId, 'identify');
  }

  /** A client that was looked up here, and found; nothing is looked up for it. */
  async foundClient(clientId: unknown): Promise<ClientMetadata | undefined> {
    return typeof clientId === 'string' ? this.#clients.get(clientId)?.catch(() => undefined) : undefined;
  }

  /** The app that the record of a client names, once it has been looked up here: for events and notes about the client. */
  appOf(clientId: string | undefined): string | undefined {
    return clientId === undefined ? undefined : this.#apps.get(clientId);
  }

  /** A client with what the engine verifies the proof of this request with. */
  engineClient(clientId: string): Promise<ClientMetadata | undefined> {
    return once(this.#engineClients, clientId, async () => {
      let client = await this.client(clientId);
      for (const { verifiable } of this.#sources.proofs) {
        client &&= await verifiable(this.ctx, this.site, client, this.sender.proof);
      }
      return client;
    });
  }

  /**
   * What is looked up of a client for a person, once for the whole request. A code or token is read before the rule: a stricter rule ends
   * access tokens after it is written, so one of the two is seen.
   */
  lookUps(site: Site, client: UsedClient, memberId: string | undefined): LookUps {
    const key = JSON.stringify([client.clientId, memberId, client.token !== undefined]);
    const { access, rules } = this.#sources.core;
    const findSchool = (ruled: RuledClient): Promise<SchoolSays> =>
      once(this.#rules, client.clientId, () => rules.schoolRule(site.id, ruled, this.#reader));
    const found = this.#lookUps.get(key) ?? access.lookUps({ site, client, memberId }, findSchool);
    this.#lookUps.set(key, found);
    return found;
  }

  /** Says that the rule of the school will be asked for: it is read with a session, code or token. */
  async expectRule(clientId: string | undefined): Promise<void> {
    const client = clientId === undefined ? undefined : await this.#usedClient(clientId);
    if (client && client.audience !== 'service')
      expectRule(this.#reader, this.lookUps(this.site, client, undefined).ruled());
  }

  /** Says that the grant of the person who is signed in will be asked for. That of a first-party client is read once it is written. */
  async expectGrant(clientId: string): Promise<void> {
    const client = await this.client(clientId);
    const { memberId } = (client && !isFirstParty(client) && (await this.signedIn())) || {};
    if (memberId !== undefined) this.#reader.expect('Grant', grantIdOf(memberId, clientId));
  }

  /** What a client may get of these scopes here, for this person if it is known who that is. */
  async permit(clientId: string, memberId: string | undefined, scopes: readonly string[]): Promise<Permission> {
    return once(this.#permits, JSON.stringify([clientId, memberId, scopes]), () =>
      this.#permit(clientId, memberId, scopes),
    );
  }

  /** What this person may approve of it for the school. */
  async permitApproval(clientId: string, memberId: string, scopes: readonly string[]): Promise<Permission> {
    return this.#permit(clientId, memberId, scopes, true);
  }

  async #permit(
    clientId: string,
    memberId: string | undefined,
    scopes: readonly string[],
    approving = false,
  ): Promise<Permission> {
    const use = await this.use(clientId, memberId);
    if (!use) return refusedOutright('client_not_permitted');
    if (use.client.audience === 'service') return this.permitService(clientId, scopes);
    const lookUps = this.lookUps(this.site, use.client, memberId);
    return this.#sources.core.access.permit({ ...use, scopes, at: 'connect', approving }, lookUps);
  }

  /** What the code or token that the engine has read may do; `undefined` if it has read none. */
  async permission(): Promise<TokenPermission | undefined> {
    const token = this.#permission ? undefined : await this.records.presented();
    if (token) this.#permission = this.#permitToken(token);
    return this.#permission;
  }

  async #permitToken(token: PresentedToken): Promise<TokenPermission> {
    const { access, records, audit } = this.#sources.core;
    // A request that introspects a refresh token judges nothing.
    if (this.redemption && token.kind === 'RefreshToken' && token.grant) {
      const sources = { store: records.store, access, onAudit: audit.onAudit };
      await judgeAtRefresh(sources, this.site, { grant: token.grant, app: this.appOf(token.record.clientId) });
    }
    const permission = await access.permissionOf(this.site, token, this);
    if (permission.refusal === 'person_gone' && token.kind !== 'ClientCredentials')
      await this.endOfPerson(token.record.accountId, token.record.clientId);
    return permission;
  }

  /** Called where the platform no longer knows a person. */
  endOfPerson(memberId: string, clientId: string): Promise<void> {
    return endOfPerson(this.#sources.core, this.site, { memberId, clientId });
  }

  /** What a client knows a person by, if not by their id. */
  async pseudonym(clientId: string, memberId: string): Promise<string | undefined> {
    const { pseudonymOf } = this.#sources.core.subjects;
    if (!pseudonymOf || !(await this.permit(clientId, memberId, ['openid'])).pseudonym) return undefined;
    const use = await this.#usedClient(clientId);
    return use?.sector && pseudonymOf(this.site.id, use.sector(), memberId);
  }

  /** What a service gets with the token that it requests. */
  async permitService(clientId: string, scopes: readonly string[]): Promise<Permission> {
    const client = await this.client(clientId);
    const question = { site: this.site, client, scopes, at: 'connect' } as const;
    return (await this.#sources.core.access.permitService(question)).permission;
  }

  /** The input for asking again after a write; `undefined` for a client that does not exist. */
  async use(clientId: string, memberId?: string): Promise<ClientUse | undefined> {
    const { site } = this;
    const member = memberId === undefined ? undefined : await this.member(memberId);
    const client = await this.#usedClient(clientId);
    return client && { site, client, member };
  }

  async #usedClient(clientId: string): Promise<UsedClient | undefined> {
    return isMetadataDocumentId(clientId) ? documentUse(clientId) : clientUse(await this.client(clientId));
  }
}

/** The use of a client at a school. */
export interface ClientUse {
  readonly site: Site;
  readonly client: UsedClient;
  /** The person; `undefined` until it is known who that is. */
  readonly member: Member | undefined;
}

function once<T>(results: Map<string, Promise<T>>, key: string, load: () => Promise<T>): Promise<T> {
  let result = results.get(key);
  if (!result) {
    result = load();
    results.set(key, result);
  }
  return result;
}

interface MessageContent {
  readonly url: string;
  /** The school's origin, whatever the live request's headers say. */
  readonly origin: URL;
  readonly form: string | undefined;
}

/** Headers of proxies, which the engine must not trust, of the live body, which it does not see, and those that it gets in one spelling. */
const dropped = /^(?:x-forwarded-.*|forwarded|content-.*|transfer-encoding|authorization|:.*)$/;

/** The live request with the school's address and the whole body, and nothing unchecked. Every context that the engine makes has it as its `req`. */
class EngineMessage extends IncomingMessage {
  readonly request: EngineRequest;
  readonly #body: Buffer | undefined;

  constructor(request: EngineRequest, { url, origin, form }: MessageContent) {
    const { req: live } = request.ctx;
    super(live.socket);
    this.request = request;
    this.httpVersion = live.httpVersion;
    this.httpVersionMajor = live.httpVersionMajor;
    this.httpVersionMinor = live.httpVersionMinor;
    this.method = live.method;
    this.url = url;
    const headers: IncomingHttpHeaders = {};
    for (const name of Object.keys(live.headers)) if (!dropped.test(name)) headers[name] = live.headers[name];
    const authorization = sentAuthorization(request.ctx);
    if (authorization !== undefined) headers.authorization = authorization;
    headers.host = origin.host;
    headers['x-forwarded-proto'] = origin.protocol.slice(0, -1);
    this.headers = headers;
    if (form === undefined) return;
    this.#body = Buffer.from(form);
    headers['content-type'] = 'application/x-www-form-urlencoded';
    headers['content-length'] = String(this.#body.length);
  }

  /** The engine reads the body this way, and any stream can be read so. Filling one to read it takes longer. */
  override async *iterator(): NodeJS.AsyncIterator<Buffer> {
    if (this.#body) yield this.#body;
  }

  // The socket belongs to the live request: this one neither reads from it nor closes it.
  override _read(): void {
    if (this.#body) this.push(this.#body);
    this.push(null);
  }
  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    callback(error);
  }
}

export function requestOf({ req }: { readonly req: IncomingMessage }): EngineRequest {
  if (req instanceof EngineMessage) return req.request;
  throw new Error('the engine got a request that is not ours');
}

/** The request of the engine's own async context: for its storage, its clients and its issuer, which get no context. */
export function currentRequest(): EngineRequest {
  if (Provider.ctx) return requestOf(Provider.ctx);
  throw new Error('the engine was called outside a request');
}
