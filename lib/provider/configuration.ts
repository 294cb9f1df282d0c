import type { Configuration } from 'oidc-provider';
import { ownMetadata } from '../clients/metadata.ts';
import { claimsByScope } from '../host/claims.ts';
import { deviceGrant } from '../protocol/grant-types.ts';
import { type CheckedKeys, unusedKey } from '../protocol/keys.ts';
import { paths } from '../protocol/paths.ts';
import type { AssertionLimiter } from '../rate-limit/assertion-limiter.ts';
import type { AuthorizationLimiter, UserCodeLimiter } from '../rate-limit/limiter.ts';
import type { Core } from '../records/core.ts';
import { engineAdapter } from './adapter.ts';
import { assertClaims, clockTolerance } from './assertions.ts';
import { deviceFlow, type DevicePages } from './device-flow.ts';
import { accountFinder, mayIntrospect, mayRevoke, resourceIndicators, timeToLive, tokenClaims } from './callbacks.ts';
import { errorRenderer, type ShowError } from './engine-errors.ts';
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
  readonly devicePages: DevicePages;
  readonly assertions: AssertionLimiter;
  readonly limitUserCodes: UserCodeLimiter;
  readonly showError: ShowError;
  readonly limitAuthorizations: AuthorizationLimiter;
}

const routes: Configuration['routes'] = {
  authorization: paths.authorize,
  token: paths.token,
  revocation: paths.revoke,
  introspection: paths.introspect,
  device_authorization: paths.deviceAuthorization,
  code_verification: paths.device,
};

export function engineConfiguration(options: EngineOptions, keys: CheckedKeys, protocol: SiteProtocol): Configuration {
  const { catalogue, offered } = options;
  return {
    jwks: keySet(keys),
    enabledJWA: {
      idTokenSigningAlgValues: ['ES256'],
      ...(offered.algorithms.length > 0 && { clientAuthSigningAlgValues: [...offered.algorithms] }),
    },
    assertJwtClientAuthClaimsAndHeader: assertClaims,
    ttl: timeToLive,
    cookies: cookies(protocol === 'https:'),
    // Called in this order, after the redirect URI is checked. The engine looks at its session next, so the last one signs in.
    extraParams: { ...parameterRules(catalogue), [addressParameter]: null, prompt: joinPlatformSession },
    adapter: engineAdapter(options),
    routes,
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
    features: {
      ...Object.fromEntries(
        offered.grantTypes.flatMap(({ feature }) => (feature ? [[feature, { enabled: true }]] : [])),
      ),
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      // `bearer/userinfo.ts` instead: the engine's UserInfo refuses tokens with an audience, and all of ours have one.
      userinfo: { enabled: false },
      introspection: { enabled: true, allowedPolicy: mayIntrospect(options.access) },
      revocation: { enabled: true, allowedPolicy: mayRevoke },
      resourceIndicators: resourceIndicators(catalogue),
      ...(offered.hasGrant(deviceGrant) && { deviceFlow: deviceFlow(options.devicePages) }),
    },
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
