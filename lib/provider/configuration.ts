import { type Configuration, type interactionPolicy, type KoaContextWithOIDC, errors } from 'oidc-provider';
import type { ClientCheck, ClientFinder } from '../clients/finder.ts';
import { audienceOf, isResourceServer, ownMetadata } from '../clients/metadata.ts';
import type { Lifetimes } from '../contracts/limits.ts';
import type { AccessRule } from '../host/access-rule.ts';
import { claimsByScope } from '../host/claims.ts';
import type { AddedClaims } from '../host/host-claims.ts';
import { InvalidGrant, InvalidTarget } from '../protocol/errors.ts';
import type { CheckedKeys } from '../protocol/keys.ts';
import { paths } from '../protocol/paths.ts';
import type { ScopeCatalogue } from '../protocol/scopes.ts';
import { grantIdOf } from '../records/codec.ts';
import type { AuthorizationLimiter } from '../rate-limit/limiter.ts';
import type { RecordStore } from '../records/record-store.ts';
import { accountFinder } from './account.ts';
import { engineAdapter } from './adapter.ts';
import { errorRenderer, inEngine, type ShowError, toEngineError } from './engine-errors.ts';
import { currentEngineRequest } from './engine-request.ts';
import { engineSettings, type SiteProtocol } from './engine-settings.ts';

type Features = NonNullable<Configuration['features']>;
type TokenPolicy = NonNullable<NonNullable<Features['introspection']>['allowedPolicy']>;

/** What an engine works with, at every site. */
export interface EngineOptions {
  readonly lifetimes: Lifetimes;
  readonly access: AccessRule;
  readonly addedClaims: AddedClaims;
  readonly isClientPermitted: ClientCheck;
  readonly store: RecordStore;
  readonly clients: ClientFinder;
  readonly policy: interactionPolicy.Prompt[];
  readonly catalogue: ScopeCatalogue;
  readonly showError: ShowError;
  readonly limitAuthorizations: AuthorizationLimiter;
}

/** The features that the specification lists are on, all others off. */
export function engineConfiguration(options: EngineOptions, keys: CheckedKeys, protocol: SiteProtocol): Configuration {
  const { lifetimes } = options;
  return {
    ...engineSettings(options, keys, protocol),
    adapter: engineAdapter({ ...options, refreshGrace: lifetimes.refreshGrace }),
    routes: {
      authorization: paths.authorize,
      token: paths.token,
      revocation: paths.revoke,
      introspection: paths.introspect,
    },
    scopes: [...options.catalogue.all],
    claims: { openid: [...claimsByScope.openid], profile: [...claimsByScope.profile], email: [...claimsByScope.email] },
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_post'],
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
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      // `bearer/userinfo.ts` instead: the engine's UserInfo refuses tokens with an audience, and all of ours have one.
      userinfo: { enabled: false },
      introspection: { enabled: true, allowedPolicy: mayIntrospect(options) },
      revocation: { enabled: true, allowedPolicy: mayRevoke },
      resourceIndicators: resourceIndicators(options.catalogue),
    },
    extraTokenClaims: (_ctx, token) => {
      const { client } = token;
      if (!client) return undefined;
      const isStatic = client['campus_source'] === undefined;
      return { client_audience: audienceOf(client), ...(isStatic && { client_source: 'static' }) };
    },
    expiresWithSession: () => false,
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    revokeGrantPolicy: () => true,
    findAccount: accountFinder(options.access, lifetimes.grant),
    loadExistingGrant: (ctx) => inEngine(() => existingGrant(ctx)),
    interactions: { policy: options.policy, url: (_ctx, interaction) => `${paths.interaction}/${interaction.uid}` },
    renderError: errorRenderer(options.showError),
  };
}

function siteOrigin(): string {
  return currentEngineRequest().site.origin;
}

function missingResource(): InvalidTarget {
  return new InvalidTarget(
    `a member client must send resource=${siteOrigin()}, at authorization and at the token endpoint`,
  );
}

function wrongResource(): InvalidTarget {
  return new InvalidTarget(
    `resource must be ${siteOrigin()} or the address of one of its protected resources, which the metadata lists as protected_resources`,
  );
}

/** The only resource is the site's origin. Member clients must send it. */
function resourceIndicators({ all }: ScopeCatalogue): Features['resourceIndicators'] {
  return {
    enabled: true,
    defaultResource: (_ctx, client, oneOf) =>
      inEngine(() => {
        if (oneOf !== undefined) return [...oneOf];
        if (audienceOf(client) === 'member') throw missingResource();
        return siteOrigin();
      }),
    useGrantedResource: ({ oidc }) =>
      inEngine(() => {
        const isExchange = oidc.params?.['grant_type'] === 'authorization_code';
        if (isExchange && oidc.client && audienceOf(oidc.client) === 'member') throw missingResource();
        return true;
      }),
    getResourceServerInfo: (_ctx, resource, client) => {
      if (resource !== siteOrigin()) throw toEngineError(wrongResource());
      // The client's present scopes: a new token has none that the client lost since consent.
      return { scope: client.scope ?? all.join(' '), audience: siteOrigin(), accessTokenFormat: 'opaque' };
    },
  };
}

/** A client may introspect its own valid tokens, a resource server all valid tokens of its site. */
function mayIntrospect({ access, isClientPermitted }: EngineOptions): TokenPolicy {
  return (ctx, client, token) =>
    inEngine(async () => {
      const { clientId = '' } = token;
      // A token of the origin that the school had before is not valid, as it is not for `campus.verify`.
      const boundTo = token.kind === 'RefreshToken' ? token.resource : token.aud;
      if (boundTo !== siteOrigin()) return false;
      const mayAsk = clientId === client.clientId || isResourceServer(client);
      if (!mayAsk || !isClientPermitted(currentEngineRequest().site.id, { clientId, isStatic: false })) return false;
      // Nothing is fetched here. The tokens of a client that does not exist any more, or not at this site, are not valid.
      const owner = clientId === client.clientId ? client : await ctx.oidc.provider.Client.find(clientId);
      const accountId = 'accountId' in token ? token.accountId : undefined;
      if (!owner || typeof accountId !== 'string') return false;
      return access(await currentEngineRequest().member(accountId), audienceOf(owner)) === 'permitted';
    });
}

/** RFC 7009 section 2.1: only the client that a token was issued to may revoke it. */
const mayRevoke: TokenPolicy = (_ctx, client, token) => {
  if (token.clientId === client.clientId) return true;
  throw toEngineError(new InvalidGrant('this token was issued to another client; only that client may revoke it'));
};

/** One grant for each member and client, whichever browser is used: the person sees it as a connected app. */
async function existingGrant({ oidc: { provider, client, account } }: KoaContextWithOIDC) {
  if (!client || !account) throw new errors.InvalidRequest('no client or account to load a grant for');
  return provider.Grant.find(grantIdOf(account.accountId, client.clientId));
}
