import { isForService, type Enabled } from '../core/enabled/enabled.ts';
import { authorizationCode } from '../core/enabled/grant-type.ts';
import type { Site } from '../host/school-platform.ts';
import { field, type Form } from '../http/body.ts';
import { findResource, type ProtectedResource } from '../core/scopes/protected-resources.ts';
import { originsOf } from '../host/origins.ts';
import { type ScopeCatalogue, splitScope } from '../core/scopes/scopes.ts';
import { type AllowedScopes, type FormScopes, scopeNarrower } from './requested-scopes.ts';
import type { EngineRequest } from './engine-request.ts';

export type SiteResources = readonly [ProtectedResource, ...ProtectedResource[]];

/** Rewrites what clients send to what the engine understands: one value for each resource, and scopes that it can grant. */
export interface RequestNormalizer {
  /** An authorization request. `allowedScopesOf` gets the `client_id`. */
  query(querystring: string, site: Site, allowedScopesOf: (id: string) => AllowedScopes): Promise<URLSearchParams>;
  /** A form for the token, revocation or introspection endpoint. `hint` is the `token_type_hint` for the engine. */
  form(form: Form, site: Site, scopes: FormScopes, hint?: string): Promise<Form>;
}

export function requestNormalizer(
  resources: SiteResources,
  { all }: ScopeCatalogue,
  enabled: Enabled,
): RequestNormalizer {
  const forMembers = new Set(resources.filter(({ audience }) => audience === 'member').map(({ path }) => path));
  const narrowed = scopeNarrower([all, ...resources.map(({ scopes }) => scopes)]);

  /** The origin for the address of any resource, also at a former origin: all have one audience. RFC 8707 section 2; specification: Audience binding. */
  function canonicalResource(address: string, site: Site): string {
    return findResource(resources, originsOf(site), address) ? site.origin : address;
  }

  return {
    async query(querystring, site, allowedScopesOf) {
      const sent = new URLSearchParams(querystring);
      const parameters = new URLSearchParams();
      for (const [name, value] of sent) {
        if (name === addressParameter || (value === '' && sent.getAll(name).length === 1)) continue;
        if (name === 'resource') parameters.append(name, canonicalResource(value, site));
        else parameters.append(name, name === 'response_mode' ? responseMode(value) : value);
      }
      // The engine refuses a parameter that is repeated.
      if (sent.getAll('scope').length > 1) return parameters;
      const requested = sentScopes(sent.get('scope') ?? '');
      const resource = findResource(resources, originsOf(site), sent.get('resource') || site.origin) ?? resources[0];
      const scopes = requested.length > 0 ? requested : resource.scopes;
      const left = await narrowed(scopes, () => allowedScopesOf(sent.get('client_id') ?? ''));
      parameters.set('scope', left.join(' '));
      // In place of the address the engine gets the origin. A request that is started again has the one from before.
      const address = [resource.path, sent.get(addressParameter) ?? ''].find((path) => forMembers.has(path));
      if (address !== undefined) parameters.set(addressParameter, address);
      // The engine refuses them in a request that gets no ID token. RFC 6749 section 3.1: ignored.
      const openid = splitScope(parameters.get('scope') ?? '').includes('openid');
      for (const name of openid ? [] : openidParameters) parameters.delete(name);
      return parameters;
    },

    async form(form, site, { allowed, isAll }, hint) {
      // Without a prototype, as a field can have any name. A copy by rest and spread is slow here.
      const normalized: Record<string, Form[string]> = Object.create(null);
      for (const name in form) if (!rewritten.has(name)) normalized[name] = form[name];
      // RFC 7009 section 2.1 lets a server ignore the hint; a wrong one would cost another look-up.
      field(form, 'token_type_hint');
      if (hint !== undefined) normalized['token_type_hint'] = hint;
      const token = field(form, 'token');
      if (token !== undefined) normalized['token'] = opaque(token);
      const resource = field(form, 'resource');
      if (resource !== undefined) normalized['resource'] = canonicalResource(resource, site);
      const sent = sentScopes(field(form, 'scope') ?? '');
      if (sent.length > 0) {
        const scopes = await narrowed(sent, allowed);
        if (!(await isAll(scopes))) normalized['scope'] = scopes.join(' ');
      } else if (isForService(enabled, field(form, 'grant_type'))) {
        // A service gets what it has. A refresh gets what its grant has, without being told.
        const scopes = await allowed();
        if (scopes) normalized['scope'] = scopes.join(' ');
      }
      return normalized;
    },
  };
}

/** What the engine gets in another form than it was sent. */
const rewritten = new Set(['token_type_hint', 'token', 'resource', 'scope']);

/** A parameter of ours: the path of the address for members that the request is for, if it is for one. */
export const addressParameter = 'campus_address';

/** Parameters of OpenID Connect: without `openid` in its scope a request is not one of OpenID Connect. */
const openidParameters = ['nonce', 'max_age', 'acr_values', 'id_token_hint', 'claims_locales'] as const;

/** The engine refuses a token in the form of a JWT; here it is unknown, like any other. RFC 7662 section 2.2, RFC 7009 section 2.2. */
function opaque(token: string): string {
  return token.includes('.') ? 'no-token-of-ours' : token;
}

/** Without `offline_access`, by which clients ask for a refresh token: every client gets one. OIDC Core section 11. */
function sentScopes(scope: string): readonly string[] {
  return splitScope(scope).filter((name) => name !== 'offline_access');
}

/** The engine would send its error in the requested mode if it knew that mode. */
function responseMode(value: string): string {
  return value !== '' && value !== 'query' ? 'unsupported' : value;
}

/**
 * Clients of OAuth 2.1 redeem a code without `redirect_uri`: its challenge says that it is theirs. The engine, which compares the two, gets the
 * one of the code. A code without a challenge needs it. OAuth 2.1 section 10.2.
 */
export async function withRedirectUri({ records }: EngineRequest, form: Form): Promise<Form> {
  const code = field(form, 'code');
  const isLeftOut = field(form, 'grant_type') === authorizationCode.name && !field(form, 'redirect_uri');
  if (!code || !isLeftOut) return form;
  const binding = await records.bindingOfCode(code);
  // The engine would call the parameter missing, not the code unknown.
  if (!binding) return { ...form, redirect_uri: 'left out' };
  return binding.challenge === undefined ? form : { ...form, redirect_uri: binding.redirectUri };
}
