import { type DeclaredBoundary, type Only, unhonouredScopes } from '../boundaries/boundary.ts';
import type {
  VerifiedToken,
  TokenOf,
  ClientAudience,
  VerifiedServiceToken,
  PersonAudience,
} from '../clients/client.ts';
import type { Site, Member, Service } from '../../host/school-platform.ts';
import { digest } from '../../kernel/crypto.ts';

type Verified = Omit<VerifiedToken, 'limitTo' | 'cacheKey'>;
type VerifiedService = Omit<VerifiedServiceToken, 'limitTo' | 'cacheKey'>;

/** What a request has asked of its token. */
interface Reads {
  cacheKey: boolean;
}

/**
 * A verified token of a person. Where a boundary is not honoured, the scopes that it limits are not there: code that
 * forgets a limit refuses, and never shows more.
 */
class PersonToken implements VerifiedToken {
  readonly site: Site;
  readonly member: Member;
  readonly clientId: string;
  readonly audience: PersonAudience;
  readonly scopes: readonly string[];
  readonly only?: Only;
  readonly expiresAt: number;
  readonly authTime?: number;
  readonly acr?: string;
  readonly #verified: Verified;
  readonly #boundaries: readonly DeclaredBoundary[];
  readonly #reads: Reads;

  constructor(
    verified: Verified,
    boundaries: readonly DeclaredBoundary[],
    honours: readonly string[] = [],
    reads: Reads = { cacheKey: false },
  ) {
    const { site, member, clientId, audience, scopes, only, expiresAt, authTime, acr } = verified;
    const lost = unhonouredScopes(boundaries, only, honours);
    this.site = site;
    this.member = member;
    this.clientId = clientId;
    this.audience = audience;
    this.scopes = lost.size > 0 ? scopes.filter((scope) => !lost.has(scope)) : scopes;
    if (only) this.only = only;
    this.expiresAt = expiresAt;
    if (authTime !== undefined) this.authTime = authTime;
    if (acr !== undefined) this.acr = acr;
    this.#verified = verified;
    this.#boundaries = boundaries;
    this.#reads = reads;
  }

  honouring(honours: readonly string[]): VerifiedToken {
    return this.only ? new PersonToken(this.#verified, this.#boundaries, honours, this.#reads) : this;
  }

  get cacheKey(): string {
    this.#reads.cacheKey = true;
    const { site, member, clientId, scopes, only } = this.#verified;
    return cacheKeyOf({ site, memberId: member.id, clientId, scopes, only });
  }

  get isCacheKeyRead(): boolean {
    return this.#reads.cacheKey;
  }

  /** What the token has, and what does not count here. */
  get unhonoured(): readonly string[] {
    return this.#verified.scopes.filter((scope) => !this.scopes.includes(scope));
  }

  limitTo(type: string): readonly string[] | undefined {
    requireDeclared(this.#boundaries, type);
    return this.only?.[type];
  }
}

/** The token of a service, which nobody limits. */
class ServiceToken implements VerifiedServiceToken {
  readonly site: Site;
  readonly service: Service;
  readonly clientId: string;
  readonly audience = 'service';
  readonly scopes: readonly string[];
  readonly expiresAt: number;
  readonly #boundaries: readonly DeclaredBoundary[];

  constructor(verified: VerifiedService, boundaries: readonly DeclaredBoundary[]) {
    const { site, service, clientId, scopes, expiresAt } = verified;
    this.site = site;
    this.service = service;
    this.clientId = clientId;
    this.scopes = scopes;
    this.expiresAt = expiresAt;
    this.#boundaries = boundaries;
  }

  limitTo(type: string): undefined {
    requireDeclared(this.#boundaries, type);
  }

  get cacheKey(): string {
    return cacheKeyOf(this);
  }
}

interface Shared {
  readonly site: Site;
  /** @default it is a service */
  readonly memberId?: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly only?: Only | undefined;
}

/** The same for the same scopes and limits, however they are written. */
function cacheKeyOf({ site, memberId, clientId, scopes, only = {} }: Shared): string {
  const limits = Object.keys(only)
    .toSorted()
    .map((type) => [type, only[type]?.toSorted()]);
  return digest(JSON.stringify([site.id, memberId ?? null, clientId, scopes.toSorted(), limits]));
}

/** A misspelt type would look like a token without a limit. */
function requireDeclared(boundaries: readonly DeclaredBoundary[], type: string): void {
  if (boundaries.some((boundary) => boundary.type === type)) return;
  const types = boundaries.map((boundary) => boundary.type).join(', ') || 'empty';
  throw new TypeError(`limitTo must be given a type of the option boundaries (${types}), not ${JSON.stringify(type)}`);
}

export function personToken(verified: Verified, boundaries: readonly DeclaredBoundary[]): VerifiedToken {
  return new PersonToken(verified, boundaries);
}

export function serviceToken(verified: VerifiedService, boundaries: readonly DeclaredBoundary[]): VerifiedServiceToken {
  return new ServiceToken(verified, boundaries);
}

/** The same token where these boundaries are honoured. */
export function honouring(
  token: TokenOf<ClientAudience>,
  honours: readonly string[] | undefined,
): TokenOf<ClientAudience> {
  return token instanceof PersonToken ? token.honouring(honours ?? []) : token;
}

/** Whether what is shared with this request can be told apart from what is made for other tokens: nobody limits it, or it has read `cacheKey`. */
export function mayShare(token: VerifiedToken): boolean {
  return token.only === undefined || (token instanceof PersonToken && token.isCacheKeyRead);
}

/** The scopes of a token that do not count here, since the person has limited them and the limit is not honoured. */
export function unhonouredIn(token: object): readonly string[] {
  return token instanceof PersonToken ? token.unhonoured : [];
}
