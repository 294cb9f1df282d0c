import type { Core } from '../core/core.ts';
import type { Configuration } from 'oidc-provider';
import { ownMetadata } from '../core/clients/client-metadata.ts';
import { claimsByScope } from '../host/member-claims.ts';
import { type CheckedKeys, idTokenAlgorithms, unusedKey } from '../core/keys/keys.ts';
import { paths } from '../http/paths.ts';
import type { Enabled } from '../core/enabled/enabled.ts';
import type { ScopeCatalogue } from '../core/scopes/scopes.ts';
import { withAll } from '../kernel/merged.ts';
import { engineAdapter } from './adapter.ts';
import { authorizationSteps, extraParams } from './authorization-steps.ts';
import {
  accountFinder,
  mayIntrospect,
  mayRevoke,
  resourceIndicators,
  timeToLive,
  tokenClaims,
} from './engine-callbacks.ts';
import { errorRenderer, type ShowError, textsOf } from './engine-errors.ts';
import type { EngineFeature } from './engine-feature.ts';

/** Cookies have other names and attributes where a school is reached by https. */
export type SiteProtocol = 'http:' | 'https:';

export interface PromptOptions {
  readonly policy: NonNullable<Configuration['interactions']>['policy'] & object;
  /** Only reads: `interaction/prompts.ts` has the step that writes. */
  readonly loadGrant: Configuration['loadExistingGrant'] & object;
}

export interface EngineOptions {
  readonly core: Core;
  readonly catalogue: ScopeCatalogue;
  readonly enabled: Enabled;
  readonly interactions: EngineInteractions;
  /** Those that are on. */
  readonly features: readonly EngineFeature[];
}

/** When the engine needs the person, and what is shown where it cannot go on. */
export interface EngineInteractions {
  readonly prompts: PromptOptions;
  readonly showError: ShowError;
}

type Features = Configuration['features'] & object;

/** Seconds by which the clock of a client may differ. */
export const clockTolerance = 15;

const routes: Configuration['routes'] & object = {
  authorization: paths.authorize,
  token: paths.token,
  revocation: paths.revoke,
  introspection: paths.introspect,
};

export function engineConfiguration(options: EngineOptions, keys: CheckedKeys, protocol: SiteProtocol): Configuration {
  const { core, catalogue, enabled } = options;
  const { prompts, showError } = options.interactions;
  const { rights } = core.access;
  const added = options.features.map(({ configuration }) => configuration);
  return {
    jwks: keySet(keys),
    enabledJWA: withAll(
      { idTokenSigningAlgValues: [...idTokenAlgorithms] },
      added.map(({ enabledJWA }) => enabledJWA),
    ),
    assertJwtClientAuthClaimsAndHeader: async (...assertion) => {
      for (const own of added) await own.assertJwtClientAuthClaimsAndHeader?.(...assertion);
    },
    ttl: withAll(
      timeToLive,
      added.map(({ ttl }) => ttl),
    ),
    cookies: cookies(protocol === 'https:'),
    extraParams: extraParams(
      authorizationSteps(
        catalogue,
        options.features.flatMap(({ steps = [] }) => steps),
      ),
    ),
    adapter: engineAdapter({
      enabled,
      limitAuthorizations: core.limits.limitAuthorizations,
      features: options.features,
      keys,
    }),
    routes: withAll(
      routes,
      added.map((own) => own.routes),
    ),
    scopes: [...catalogue.all],
    // Without any, the engine leaves `acr` out of ID tokens.
    acrValues: [...core.host.platform.acrValues],
    claims: { openid: [...claimsByScope.openid], profile: [...claimsByScope.profile], email: [...claimsByScope.email] },
    responseTypes: ['code'],
    clockTolerance,
    // What it takes from whom, at which endpoint, the client finder says.
    clientAuthMethods: enabled.introspectionAuthentication.map(({ name }) => name),
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
      coreFeatures(catalogue, enabled),
      added.map(({ features }) => features),
    ),
    extraTokenClaims: tokenClaims,
    expiresWithSession: () => false,
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    revokeGrantPolicy: () => true,
    findAccount: accountFinder(rights),
    loadExistingGrant: prompts.loadGrant,
    interactions: { policy: prompts.policy, url: (_ctx, interaction) => `${paths.interaction}/${interaction.uid}` },
    renderError: errorRenderer(showError, textsOf(enabled.grantTypes)),
  };
}

/** The features of the engine that are always on or always off. */
function coreFeatures(catalogue: ScopeCatalogue, enabled: Enabled): Features {
  return {
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    // `bearer/userinfo.ts` instead: the engine's UserInfo refuses tokens with an audience, and all of ours have one.
    userinfo: { enabled: false },
    introspection: { enabled: true, allowedPolicy: mayIntrospect },
    revocation: { enabled: true, allowedPolicy: mayRevoke },
    resourceIndicators: resourceIndicators(catalogue, enabled),
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
