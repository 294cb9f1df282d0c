import type { Only } from '../core/boundaries/boundary.ts';
import { acrRule, isAcrValue } from '../host/checked-platform.ts';
import { epochSeconds } from '../kernel/clock.ts';
import type { Campus } from '../public/campus.ts';
import { startAuthorization, type TokenResponse } from './authorization-request.ts';
import { type SignedInCampus, signedInCampus, type SchoolOrOrigin } from './signed-in-campus.ts';
import { refuseOutsideTests } from './tests-only.ts';
import { walkConsent } from './walk-consent.ts';

/** A request for tokens: the member, the client and the scopes. */
export interface TokenRequest {
  /** The school, or its origin. */
  readonly site: SchoolOrOrigin;
  /** The member, as `platform.findMember` knows them. The client must be one that this member may use. */
  readonly memberId: string;
  /** The `acr` of the member's sign-in, as the platform would report it. @default not known */
  readonly acr?: string | undefined;
  /** The time when the member signed in, in whole seconds since the epoch. @default now */
  readonly authTime?: number | undefined;
  /** A client of any kind: one of `createCampus({ clients })`, registered, an application, or a metadata document. */
  readonly clientId: string;
  /** The scopes, at least one. Tokens with fewer scopes are an error. */
  readonly scopes: readonly string[];
  /**
   * The member's limits for the client: ids by the type of `boundaries`, for example `{ class: ['7b'] }`. `{}` removes all limits. @default
   * the limits of the connection, if any
   */
  readonly only?: Only | undefined;
  /** Whether it works while `NODE_ENV` is not `test`. Never set it in a server that people use. @default false */
  readonly allowOutsideTests?: boolean | undefined;
}

/**
 * Issues tokens through the whole flow, without a browser or a listening server. The member is signed in and allows everything on the
 * consent page, and the client redeems the code. It uses the store, keys, policies and events of `campus`, so every endpoint accepts the
 * tokens. The client becomes one of the member's connections.
 *
 * For tests only: it throws unless `NODE_ENV` is `test` or `allowOutsideTests` is given. Rate limits do not apply. The secret of a
 * confidential client is not needed. A metadata document that is not stored yet is fetched, unless it belongs to a widely used app.
 *
 * @throws TypeError for an unknown school, member or client, or a wrong `acr` or `authTime`
 * @throws Error with the refusal of an endpoint
 */
export async function issueTokens(campus: Campus, request: TokenRequest): Promise<TokenResponse> {
  const { clientId, scopes, only } = request;
  refuseOutsideTests('issueTokens acts for a member who was not asked', request.allowOutsideTests);
  if (!Array.isArray(scopes) || scopes.length === 0)
    throw new TypeError('scopes must be an array with a scope or more');
  checkSignIn(request);
  const at = await signedInCampus(campus, request);
  const { metadata, secret: clientSecret } = await at.client(clientId);
  const [redirectUri] = metadata.redirect_uris ?? [];
  if (redirectUri === undefined) {
    throw new TypeError(`clientId must be a client that can get tokens; ${clientId} has no redirect URI`);
  }
  const { origin } = at.site;
  const authorization = startAuthorization({ clientId, redirectUri, clientSecret, origin, scopes, fetch: at.fetch });
  // Without it, a client that has all of this already is not asked about.
  if (only) authorization.url.searchParams.set('prompt', 'consent');
  try {
    const redirect = await walkConsent({ authorizeUrl: authorization.url, scopes: 'all', only, fetch: at.fetch });
    const tokens = await authorization.redeem(redirect);
    const granted = tokens.scope.split(' ');
    const missing = scopes.filter((scope) => !granted.includes(scope));
    if (missing.length > 0) throw new Error(`${missing.join(' ')} was not granted; a policy may have removed it`);
    const limited = tokens.authorization_details?.map(({ type }) => type) ?? [];
    const unlimited = Object.keys(only ?? {}).find((type) => !limited.includes(type));
    if (unlimited === undefined) return tokens;
    throw new Error(
      `only must have types that the client can be limited to, not ${JSON.stringify(unlimited)}: it is first-party, or asks for no scope of the type`,
    );
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`no tokens for ${summary(at, request)}: ${reason}`, { cause });
  }
}

function checkSignIn({ acr, authTime = 0 }: TokenRequest): void {
  if (acr !== undefined && !isAcrValue(acr)) throw new TypeError(`acr must ${acrRule}, not ${JSON.stringify(acr)}`);
  if (Number.isInteger(authTime) && authTime >= 0 && authTime <= epochSeconds()) return;
  throw new TypeError(`authTime must be in whole seconds since the epoch, and not in the future, not ${authTime}`);
}

function summary({ site, member }: SignedInCampus, { clientId, scopes }: TokenRequest): string {
  const roles = member.roles.length === 0 ? 'without a role' : `with the role ${member.roles.join(', ')}`;
  return `client ${clientId} and member ${member.id} (${roles}) at ${site.id}, scope "${scopes.join(' ')}"`;
}
