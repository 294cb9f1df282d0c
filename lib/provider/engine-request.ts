import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context } from 'koa';
import type { AdapterPayload } from 'oidc-provider';
import type { LookupPurpose } from '../clients/finder.ts';
import type { Member, PlatformSession, Site } from '../contracts/platform.ts';
import type { TokenKind } from '../contracts/record.ts';
import type { HostPlatform } from '../host/platform.ts';
import { paths } from '../protocol/paths.ts';
import { splitScope } from '../protocol/scopes.ts';
import type { FoundRecord } from '../records/record-store.ts';
import type { WrittenKind } from './engine-records.ts';
import type { PendingRedemption } from './redemption.ts';

/** What each endpoint looks clients up for; the pages of an interaction, and the engine when it resumes, continue. */
const purposes: Readonly<Partial<Record<string, LookupPurpose>>> = {
  [paths.authorize]: 'start',
  [paths.token]: 'continue',
  [paths.revoke]: 'identify',
  [paths.introspect]: 'identify',
};

export type SessionGround = 'found' | WrittenKind;

/** One HTTP request that the engine handles. Its look-ups are made once, however often the engine asks. */
export class EngineRequest {
  readonly ctx: Context;
  readonly site: Site;
  /** Set at the token endpoint. */
  readonly redemption: PendingRedemption | undefined;
  readonly #platform: HostPlatform;
  #signedIn: Promise<PlatformSession | undefined> | undefined;
  readonly #members = new Map<string, Promise<Member | undefined>>();
  readonly #clients = new Map<string, Promise<AdapterPayload | undefined>>();
  /** The grants that were found together with a code or token. */
  readonly #grants = new Map<string, FoundRecord<'Grant'>>();
  /** The families of the codes and tokens that the engine found, by grant. */
  readonly #families = new Map<string, string>();
  readonly #ended = new Map<string, Promise<boolean>>();
  /** What this request has written, and whether its browser brought a session: see `mayWriteSession`. */
  readonly sessionGrounds: Set<SessionGround> = new Set<SessionGround>();
  /** The interactions that the engine found, as they are stored. */
  readonly #interactions = new Map<string, string>();

  constructor(ctx: Context, site: Site, platform: HostPlatform, redemption?: PendingRedemption) {
    this.ctx = ctx;
    this.site = site;
    this.redemption = redemption;
    this.#platform = platform;
  }

  get purpose(): LookupPurpose {
    return purposes[this.ctx.path] ?? 'continue';
  }

  signedIn(): Promise<PlatformSession | undefined> {
    this.#signedIn ??= this.#platform.signedInMember(this.ctx, this.site);
    return this.#signedIn;
  }

  member(memberId: string): Promise<Member | undefined> {
    return once(this.#members, memberId, () => this.#platform.findMember(this.site, memberId));
  }

  /** A failed look-up is remembered too, so that the error page does not fetch a metadata document again. */
  client(clientId: string, find: () => Promise<AdapterPayload | undefined>): Promise<AdapterPayload | undefined> {
    return once(this.#clients, clientId, find);
  }

  /** Remembers the family and the grant of the code or token that the engine found. */
  foundToken(grantId: string, { familyId, grant }: Pick<FoundRecord<TokenKind>, 'familyId' | 'grant'>): void {
    if (familyId !== undefined) this.#families.set(grantId, familyId);
    if (grant) this.#grants.set(grantId, grant);
  }

  /** A grant that was found together with a code or token. */
  foundGrant(grantId: string): FoundRecord<'Grant'> | undefined {
    return this.#grants.get(grantId);
  }

  /** The scopes that the grant of a token still has, if it was found with it. Only for endpoints that take one token. */
  grantedScopes(): string[] | undefined {
    const [grant] = this.#grants.values();
    return grant && splitScope(grant.record.scope);
  }

  /** The family of the code or token that the engine found in a grant. */
  familyOf(grantId: string): string | undefined {
    return this.#families.get(grantId);
  }

  /** Remembers an interaction as it is stored. */
  foundInteraction(id: string, text: string): void {
    this.#interactions.set(id, text);
  }

  /** An interaction as this request found it; nothing for a new one. */
  interactionText(id: string): string | undefined {
    return this.#interactions.get(id);
  }

  /** Ends the family of the code or token that the engine found, once. */
  async endFamily(grantId: string, end: (familyId: string) => Promise<boolean>): Promise<void> {
    const familyId = this.#families.get(grantId);
    if (familyId === undefined) throw new Error('the engine revokes a token that it did not look up');
    await once(this.#ended, familyId, () => end(familyId));
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

const requests = new AsyncLocalStorage<EngineRequest>();

export function withEngineRequest<T>(request: EngineRequest, run: () => T): T {
  return requests.run(request, run);
}

/** The request that the engine handles now; its callbacks have no other way to reach it. */
export function currentEngineRequest(): EngineRequest {
  const request = requests.getStore();
  if (!request) throw new Error('the engine was called outside withEngineRequest()');
  return request;
}
