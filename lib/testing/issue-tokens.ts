import type { Only } from '../core/boundaries/boundary.ts';
import { acrRule, isAcrValue } from '../host/checked-platform.ts';
import { epochSeconds } from '../kernel/clock.ts';
import type { Campus } from '../public/campus.ts';
import { startAuthorization, type TokenResponse } from './authorization-request.ts';
import { type SignedInCampus, signedInCampus, type SchoolOrOrigin } from './signed-in-campus.ts';
import { refuseOutsideTests } from './tests-only.ts';
import { walkConsent } from './walk-consent.ts';

/** Whose tokens, and what for. */
export interface TokenRequest {
  /** The school, or its origin. */
  readonly site: SchoolOrOrigin;
  /** The member, as `platform.findMember` knows them. The client must be one that this member may use. */
  readonly memberId: string;
  /** How strongly the member is authenticated, as the platform would report it. @default not known */
  readonly acr?: string | undefined;
  /** When the member signed in, in whole seconds since the epoch. @default now */
  readonly authTime?: number | undefined;
  /** A client of any kind: one of `createCampus({ clients })`, registered, an application, or a metadata document. */
  readonly clientId: string;
  /** At least one. Tokens with fewer scopes are an error. */
  readonly scopes: readonly string[];
  /**
   * To what the member limits the client, with a type of `boundaries` and ids that they have, for example `{ class: ['7b'] }`; `{}` takes all limits
   * away. @default as before; without a connection, nothing is limited
   */
  readonly only?: Only | undefined;
  /** Works although `NODE_ENV` is not `test`. Never in a server that people use. @default false */
  readonly allowOutsideTests?: boolean | undefined;
}

/**
 * Issues tokens as the whole flow does, without a browser and without a server that listens: the member is signed in, allows
 * everything on the consent page, and the client redeems the code. The store, the keys, the policies and the events are those of
 * `campus`, so every endpoint treats the tokens like any others, and the client is one of the member's connections from then on.
 *
 * For tests only: nobody is asked, so it refuses unless `NODE_ENV` is `test` or `allowOutsideTests` is given. Limits of requests
 * do not count. The secret of a confidential client is not needed. A metadata document that is not stored yet is fetched, unless it
 * is that of a widely used app.
 *
 * @throws TypeError for an unknown school, member or client, or a wrong `acr` or `authTime`; Error with what an endpoint refused, and why
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
