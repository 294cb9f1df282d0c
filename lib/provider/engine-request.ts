import { type IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Provider } from 'oidc-provider';
import type { Context } from 'koa';
import { type Allowance, type Allowed, type ClientUse, clientUse, documentUse, refused } from '../clients/allowance.ts';
import type { ClientFinder } from '../clients/finder.ts';
import type { Lifetimes } from '../contracts/limits.ts';
import type { Member, PlatformSession, Site } from '../contracts/platform.ts';
import type { WrittenKind } from '../contracts/record.ts';
import type { Denial } from './denial.ts';
import type { PendingRedemption } from '../grants/redemption.ts';
import { isMetadataDocumentId } from '../protocol/client-id.ts';
import { paths } from '../protocol/paths.ts';
import type { Core } from '../records/core.ts';
import { type ClientMetadata, grantIdOf, text } from '../records/codec.ts';
import { Reads, type RecordStore } from '../records/record-store.ts';

/** What each endpoint looks clients up for; the pages of an interaction, and the engine when it resumes, continue. */
const purposes: Readonly<Partial<Record<string, 'start' | 'identify'>>> = {
  [paths.authorize]: 'start',
  [paths.revoke]: 'identify',
  [paths.introspect]: 'identify',
};

type RequestSources = Pick<Core, 'platform' | 'lifetimes'> & {
  readonly clients: ClientFinder;
  readonly allowance: Allowance;
};

/** One HTTP request that the engine handles. Its look-ups are made once, however often the engine asks. */
export class EngineRequest {
  readonly ctx: Context;
  readonly site: Site;
  readonly lifetimes: Lifetimes;
  readonly redemption: PendingRedemption | undefined;
  readonly reads: Reads = new Reads();
  readonly writes: Set<WrittenKind> = new Set<WrittenKind>();
  /** Whether a first-party client got its grant without a consent; `undefined` if that was not tried. */
  consented: boolean | undefined;
  /** Why the signed-in person may not use the client. */
  denied: Denial | undefined;
  readonly #sources: RequestSources;
  #signedIn: Promise<PlatformSession | undefined> | undefined;
  #ending: Promise<boolean> | undefined;
  readonly #members = new Map<string, Promise<Member | undefined>>();
  readonly #clients = new Map<string, Promise<ClientMetadata | undefined>>();
  readonly #allowed = new Map<string, Promise<Allowed>>();

  constructor(ctx: Context, site: Site, sources: RequestSources, redemption?: PendingRedemption) {
    this.ctx = ctx;
    this.site = site;
    this.lifetimes = sources.lifetimes(site);
    this.redemption = redemption;
    this.#sources = sources;
  }

  get purpose(): 'start' | 'continue' | 'identify' {
    return purposes[this.ctx.path] ?? 'continue';
  }

  signedIn(): Promise<PlatformSession | undefined> {
    this.#signedIn ??= this.#sources.platform.signedInMember(this.ctx, this.site);
    return this.#signedIn;
  }

  member(memberId: string): Promise<Member | undefined> {
    return once(this.#members, memberId, () => this.#sources.platform.findMember(this.site, memberId));
  }

  /** A failed look-up is remembered too: the error page does not fetch a metadata document again. */
  client(clientId: string): Promise<ClientMetadata | undefined> {
    const { ctx, purpose } = this;
    const lookup = purpose === 'identify' ? purpose : { purpose, ctx, site: this.site };
    return once(this.#clients, clientId, () => this.#sources.clients(this.site.id, clientId, lookup));
  }

  /** What a client may get here, for this person if it is known who that is. */
  allowed(clientId: string, memberId?: string): Promise<Allowed> {
    return once(this.#allowed, JSON.stringify([clientId, memberId]), async () => {
      const use = await this.use(clientId, memberId);
      return use ? this.#sources.allowance(use) : refused('client_not_permitted');
    });
  }

  /** What to ask that of again after a write; `undefined` for a client that does not exist. */
  async use(clientId: string, memberId?: string): Promise<ClientUse | undefined> {
    const found = isMetadataDocumentId(clientId) ? documentUse(clientId) : clientUse(await this.client(clientId));
    return (
      found && { ...found, site: this.site, member: memberId === undefined ? undefined : await this.member(memberId) }
    );
  }

  /** Ends the family of the code or token that the engine has read, once: its other families are those of other devices. */
  async endFamily(store: Pick<RecordStore, 'endFamily'>): Promise<void> {
    const { token } = this.reads;
    if (token?.familyId === undefined) throw new Error('the engine revokes a token that it did not look up');
    const grantId = grantIdOf(text(token.record, 'accountId'), text(token.record, 'clientId'));
    this.#ending ??= store.endFamily(this.site.id, grantId, token.familyId);
    await this.#ending;
  }
}

function once<T>(results: Map<string, Promise<T>>, key: string, load: () => Promise<T>): Promise<T> {
  let result = results.get(key);
  if (!result) {
    result = load();
    results.set(key, result);
  }
  return result;
}

interface RequestViewOptions {
  readonly url: string;
  /** The site's origin, whatever the live request's headers say. */
  readonly origin: URL;
  readonly form?: string | undefined;
}

/** Headers of proxies, which the engine must not trust, and of the live body, which it does not see. */
const dropped = /^(?:x-forwarded-.*|forwarded|content-.*|transfer-encoding|:.*)$/;

/** The request that the engine reads in place of the live one: with the site's address and the whole body, and nothing unchecked. */
export class RequestView extends IncomingMessage {
  /** Every context that the engine makes has this view as its `req`. */
  readonly request: EngineRequest;
  readonly #body: Buffer | undefined;

  constructor(request: EngineRequest, { url, origin, form }: RequestViewOptions) {
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

  // The socket belongs to the live request: the view neither reads from it nor closes it.
  override _read(): void {
    if (this.#body) this.push(this.#body);
    this.push(null);
  }
  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    callback(error);
  }
}

export function requestOf({ req }: { readonly req: IncomingMessage }): EngineRequest {
  if (req instanceof RequestView) return req.request;
  throw new Error('the engine got a request that is not a view');
}

/** The request of the engine's own async context: for its storage, its clients and its issuer, which get no context. */
export function currentRequest(): EngineRequest {
  if (Provider.ctx) return requestOf(Provider.ctx);
  throw new Error('the engine was called outside a request');
}
