import type { Configuration } from 'oidc-provider';
import { ownMetadata } from '../core/clients/metadata.ts';
import { claimsByScope } from '../host/claims.ts';
import { type CheckedKeys, unusedKey } from '../core/keys/keys.ts';
import { paths } from '../http/paths.ts';
import type { AssertionLimiter } from '../core/limits/assertion-limiter.ts';
import type { AuthorizationLimiter } from '../core/limits/limiter.ts';
import type { Core } from '../core/core.ts';
import { withAll } from '../kernel/merged.ts';
import { engineAdapter } from './adapter.ts';
import { assertClaims, clockTolerance } from './assertions.ts';
import { accountFinder, mayIntrospect, mayRevoke, resourceIndicators, timeToLive, tokenClaims } from './callbacks.ts';
import { errorRenderer, type ShowError } from './engine-errors.ts';
import type { EngineFeature } from './engine-feature.ts';
import { addressParameter } from './normalized-request.ts';
import { joinPlatformSession, parameterRules } from './parameters.ts';

/** Cookies have other names and attributes where a site is reached by https. */
export type SiteProtocol = 'http:' | 'https:';

export interface PromptOptions {
  readonly policy: NonNullable<Configuration['interactions']>['policy'] & object;
  readonly loadExistingGrant: Configuration['loadExistingGrant'] & object;
}

export interface EngineOptions
  extends
    PromptOptions,
    Pick<Core, 'access' | 'addedClaims' | 'store' | 'catalogue' | 'offered' | 'onFault' | 'onAudit'> {
  readonly assertions: AssertionLimiter;
  /** Those that are on. */
  readonly features: readonly EngineFeature[];
  readonly showError: ShowError;
  readonly limitAuthorizations: AuthorizationLimiter;
}

type Features = Configuration['features'] & object;

const routes: Configuration['routes'] & object = {
  authorization: paths.authorize,
  token: paths.token,
  revocation: paths.revoke,
  introspection: paths.introspect,
};

export function engineConfiguration(options: EngineOptions, keys: CheckedKeys, protocol: SiteProtocol): Configuration {
  const { catalogue, offered } = options;
  const added = options.features.map(({ configuration }) => configuration);
  return {
    jwks: keySet(keys),
    enabledJWA: {
      idTokenSigningAlgValues: ['ES256'],
      ...(offered.algorithms.length > 0 && { clientAuthSigningAlgValues: [...offered.algorithms] }),
    },
    assertJwtClientAuthClaimsAndHeader: assertClaims,
    ttl: withAll(
      timeToLive,
      added.map(({ ttl }) => ttl),
    ),
    cookies: cookies(protocol === 'https:'),
    // Called in this order, after the redirect URI is checked. The engine looks at its session next, so the last one signs in.
    extraParams: { ...parameterRules(catalogue), [addressParameter]: null, prompt: joinPlatformSession },
    adapter: engineAdapter(options),
    routes: withAll(
      routes,
      added.map((own) => own.routes),
    ),
    scopes: [...catalogue.all],
    claims: { openid: [...claimsByScope.openid], profile: [...claimsByScope.profile], email: [...claimsByScope.email] },
    responseTypes: ['code'],
    clockTolerance,
    clientAuthMethods: offered.authentication.map(({ name }) => name),
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256',
    },
    extraClientMetadata: { properties: [...ownMetadata] },
    allowOmittingSingleRegisteredRedirectUri: false,
    clientBasedCORS: () => true,
    pkce: { required: () => true },
    features: withAll(
      coreFeatures(options),
      added.map(({ features }) => features),
    ),
    extraTokenClaims: tokenClaims,
    expiresWithSession: () => false,
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    revokeGrantPolicy: () => true,
    findAccount: accountFinder(options.access),
    loadExistingGrant: options.loadExistingGrant,
    interactions: { policy: options.policy, url: (_ctx, interaction) => `${paths.interaction}/${interaction.uid}` },
    renderError: errorRenderer(options.showError),
  };
}

/** Those of the engine's features that are always on, and those that never are. */
function coreFeatures({ access, catalogue }: EngineOptions): Features {
  return {
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    // `bearer/userinfo.ts` instead: the engine's UserInfo refuses tokens with an audience, and all of ours have one.
    userinfo: { enabled: false },
    introspection: { enabled: true, allowedPolicy: mayIntrospect(access) },
    revocation: { enabled: true, allowedPolicy: mayRevoke },
    resourceIndicators: resourceIndicators(catalogue),
  };
}

function keySet({ signing, published }: CheckedKeys): Configuration['jwks'] & object {
  const verifying = published.filter((key) => key.d !== undefined);
  return { keys: signing.length > 0 ? [...signing, ...verifying] : [unusedKey()] };
}

/** The keys are in `engine-patches.ts`. */
function cookies(secure: boolean): Configuration['cookies'] & object {
  const cookie = { signed: true, httpOnly: true, sameSite: 'lax', overwrite: true } as const;
  return {
    names: {
      session: `${secure ? '__Host-' : ''}campus_session`,
      interaction: `${secure ? '__Secure-' : ''}campus_interaction`,
      resume: `${secure ? '__Secure-' : ''}campus_resume`,
    },
    long: { ...cookie, path: '/' },
    short: cookie,
  };
}
