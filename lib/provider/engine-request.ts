import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context } from 'koa';
import type { AdapterPayload } from 'oidc-provider';
import type { Member, PlatformSession, Site } from '../contracts/platform.ts';
import type { Entry, RedeemableKind } from '../contracts/store.ts';
import type { HostPlatform } from '../host/platform.ts';

/** What the engine wants written while it turns a code or refresh token into tokens. It is written at once, or not. */
export interface PendingRedemption {
  consumed?: { readonly kind: RedeemableKind; readonly id: string };
  readonly entries: Entry[];
  /** Whose tokens they are. */
  memberId?: string | undefined;
  clientId?: string | undefined;
}

/** One HTTP request on its way through the engine and back into our callbacks: who asks where, asked once. */
export class EngineRequest {
  readonly ctx: Context;
  readonly site: Site;
  /** Set at the token endpoint. */
  readonly redemption: PendingRedemption | undefined;
  readonly #platform: HostPlatform;
  #signedIn: Promise<PlatformSession | undefined> | undefined;
  readonly #clients = new Map<string, Promise<AdapterPayload | undefined>>();
  readonly #done = new Map<string, Promise<void>>();
  readonly #members = new Map<string, Promise<Member | undefined>>();

  constructor(ctx: Context, site: Site, platform: HostPlatform, redemption?: PendingRedemption) {
    this.ctx = ctx;
    this.site = site;
    this.redemption = redemption;
    this.#platform = platform;
  }

  /** Does something once in this call, however often it is asked for. */
  once(name: string, run: () => Promise<void>): Promise<void> {
    let done = this.#done.get(name);
    if (!done) {
      done = run();
      this.#done.set(name, done);
    }
    return done;
  }

  /** A client, looked up once in this call: a metadata document that fails is not fetched again for the error page. */
  client(clientId: string, find: () => Promise<AdapterPayload | undefined>): Promise<AdapterPayload | undefined> {
    let found = this.#clients.get(clientId);
    if (!found) {
      found = find();
      this.#clients.set(clientId, found);
    }
    return found;
  }

  /** Who the platform's own session says is here. */
  signedIn(): Promise<PlatformSession | undefined> {
    this.#signedIn ??= this.#platform.signedInMember(this.ctx, this.site);
    return this.#signedIn;
  }

  /** The member as the platform knows them. */
  member(memberId: string): Promise<Member | undefined> {
    let asked = this.#members.get(memberId);
    if (!asked) {
      asked = this.#platform.findMember(this.site, memberId);
      this.#members.set(memberId, asked);
    }
    return asked;
  }
}

const calls = new AsyncLocalStorage<EngineRequest>();

/** Runs something of the engine for a call. */
export function withEngineRequest<T>(call: EngineRequest, run: () => T): T {
  return calls.run(call, run);
}

/** The call that the engine is working for. */
export function currentEngineRequest(): EngineRequest {
  const call = calls.getStore();
  if (!call) throw new Error('the engine was entered without withEngineRequest()');
  return call;
}
