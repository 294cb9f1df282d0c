import type { Account, Client, Configuration, FindAccount, KoaContextWithOIDC } from 'oidc-provider';
import type { Context } from 'koa';
import type { NoPermissionReason, TokenPermission } from '../core/access/token-permission.ts';
import { refusals } from '../core/access/who-can-change.ts';
import type { Taken } from '../core/access/permission.ts';
import { textIn } from '../core/access/rule.ts';
import { signInOf } from '../core/clients/sign-in-client.ts';
import { audienceOf } from '../core/clients/client-metadata.ts';
import { isResourceServer } from '../core/clients/resource-server.ts';
import type { Lifetimes } from '../core/limits/limits.ts';
import type { Member, Site } from '../host/school-platform.ts';
import { type EngineRequest, requestOf } from './engine-request.ts';
import { type RoleRights, denial } from '../core/access/operator-and-admin-roles.ts';
import { memberClaims } from '../host/member-claims.ts';
import { AccessDenied, InvalidClient, InvalidGrant, InvalidTarget } from '../kernel/errors.ts';
import type { Enabled } from '../core/enabled/enabled.ts';
import { type Scope, type ScopeCatalogue, splitScope } from '../core/scopes/scopes.ts';
import { inEngine, toEngineError } from './engine-errors.ts';
import { addressParameter } from './normalized-request.ts';
import { checkScopes } from './parameter-checks.ts';

type Features = NonNullable<Configuration['features']>;
type TokenPolicy = NonNullable<NonNullable<Features['introspection']>['allowedPolicy']>;

/** Finds a member for the engine. A code or refresh token is invalid once its member may no longer use the client. */
export function accountFinder(rule: RoleRights): FindAccount {
  return (ctx, sub, token) =>
    inEngine(async () => {
      const { client } = ctx.oidc;
      const request = requestOf(ctx);
      if (token) return accountOf(request, await request.permission());
      const member = await request.member(sub);
      if (!member && client) await request.endOfPerson(sub, client.clientId);
      const access = client ? rule(member, audienceOf(client)) : 'no-role';
      if (member && access === 'permitted') return account(request.site, member);
      // With a sign-in pending, another person may come back.
      if (['login', 'select_account'].some((prompt) => ctx.oidc.promptPending(prompt))) return undefined;
      const reason = access === 'no-operator' ? access : 'no-role';
      const { params = {} } = ctx.oidc;
      const helpUrl = reason === 'no-operator' ? helpUrlOf(request.site, params) : undefined;
      request.denied = { member, reason, params, helpUrl };
      throw new AccessDenied(helpUrl === undefined ? denial[reason] : `${denial[reason]}; ${forMembers} ${helpUrl}`);
    });
}

function account(site: Site, member: Member): Account {
  return { accountId: member.id, claims: () => ({ ...memberClaims(site, member) }) };
}

/** The person of a code or refresh token. The engine says what it says of one whose person does not exist. @throws InvalidGrant */
function accountOf({ site }: EngineRequest, permission: TokenPermission | undefined): Account | undefined {
  if (permission?.member) return account(site, permission.member);
  const reason = permission?.refusal ?? 'no_access';
  if (reason === 'no_access' || reason === 'person_gone') return undefined;
  throw new InvalidGrant(invalidGrantTexts[reason]);
}

const invalidGrantTexts: Readonly<Record<Exclude<NoPermissionReason, 'person_gone'>, string>> = {
  ...refusals,
  expired: 'the person has to allow this application again; authorize again',
  other_origin: 'the person has allowed this application at another origin; authorize again',
  boundary_removed:
    'the person has limited this application to something that no longer exists at this school; authorize again',
  client_changed: 'the metadata document of this application has changed since the person consented; authorize again',
  subject_changed: 'the sub of this person has changed for this application; authorize again',
};

const forMembers = 'members connect with a client_id for members, as this page explains:';

/** The page at the address for members, where another account would not help: there the app is the wrong one. */
function helpUrlOf(
  { origin }: Site,
  { [addressParameter]: path }: Readonly<Record<string, unknown>>,
): string | undefined {
  return typeof path === 'string' ? `${origin}${path}` : undefined;
}

function siteOrigin(ctx: Context): string {
  return requestOf(ctx).site.origin;
}

function missingResource(ctx: Context): InvalidTarget {
  return new InvalidTarget(
    `a member client must send resource=${siteOrigin(ctx)}, at authorization and at the token endpoint`,
  );
}

/** A sign-in client has a property for it: OpenID Connect knows no `resource`. Specification: Audience binding 1. */
function mustSendResource(client: Client): boolean {
  return audienceOf(client) === 'member' && signInOf(client)?.defaultResource !== true;
}

export function resourceIndicators(catalogue: ScopeCatalogue, { grantTypes }: Enabled): Features['resourceIndicators'] {
  // What a person has just allowed comes with it.
  const exchanges = grantTypes.flatMap(({ clients, name }) =>
    clients === 'people' && name !== 'refresh_token' ? [name] : [],
  );
  return {
    enabled: true,
    defaultResource: (ctx, client, oneOf) =>
      inEngine(() => {
        if (oneOf !== undefined) return [...oneOf];
        if (mustSendResource(client)) throw missingResource(ctx);
        return siteOrigin(ctx);
      }),
    useGrantedResource: (ctx) =>
      inEngine(() => {
        const { client, params } = ctx.oidc;
        const isExchange = exchanges.includes(String(params?.['grant_type']));
        if (isExchange && client && mustSendResource(client)) throw missingResource(ctx);
        return true;
      }),
    getResourceServerInfo: (ctx, resource, client) =>
      inEngine(async () => {
        const audience = siteOrigin(ctx);
        if (resource !== audience) {
          const demand = `resource must be ${audience} or the address of one of its protected resources, which the metadata lists as protected_resources`;
          throw new InvalidTarget(demand);
        }
        const scopes =
          audienceOf(client) === 'service'
            ? await scopesOfService(ctx, client, catalogue)
            : await scopesOfPerson(ctx, client, catalogue);
        return { scope: scopes.join(' '), audience, accessTokenFormat: 'opaque' };
      }),
  };
}

/** What the client may get now: a new token has no scope that it lost since consent. */
async function scopesOfPerson(
  ctx: KoaContextWithOIDC,
  client: Client,
  catalogue: ScopeCatalogue,
): Promise<readonly Scope[]> {
  const request = requestOf(ctx);
  const permission = await request.permission();
  if (permission) return permission.member ? [...permission.scopes] : [];
  // Who is about to be asked can still choose a limit that a rule demands.
  const asked = askedScopes(ctx, catalogue) ?? catalogue.of(audienceOf(client));
  return (await request.permit(client.clientId, ctx.oidc.account?.accountId, asked)).scopes;
}

/** What a request asks for, if it says so. */
export function askedScopes({ oidc }: KoaContextWithOIDC, { has }: ScopeCatalogue): readonly Scope[] | undefined {
  const sent = oidc.params?.['scope'];
  return typeof sent === 'string' ? splitScope(sent).filter(has) : undefined;
}

/** No person stands between a service and its token: what is not permitted is said here. */
async function scopesOfService(
  ctx: KoaContextWithOIDC,
  client: Client,
  catalogue: ScopeCatalogue,
): Promise<readonly Scope[]> {
  const sent = ctx.oidc.params?.['scope'];
  const requested = splitScope(typeof sent === 'string' ? sent : undefined);
  const { refused, scopes, taken } = await requestOf(ctx).permitService(client.clientId, requested);
  const ofPolicy = taken.find(({ code, policy }) => policy !== undefined && code !== 'scope');
  if (refused) {
    const text = refusals[refused.refusal ?? 'client_not_permitted'];
    throw new InvalidClient(ofPolicy?.scopes === 'all' ? textOf(ofPolicy) : text);
  }
  checkScopes(sent, catalogue);
  // What a rule of the school takes away, the engine says.
  if (requested.length > 0 && scopes.length === 0 && ofPolicy) throw new InvalidClient(textOf(ofPolicy));
  return scopes;
}

/** Nobody reads a page who could be told what a policy says. */
function textOf({ text, texts = [] }: Taken): string {
  return [text, ...texts.map((each) => textIn([], each))].join(': ');
}

/** A client may introspect its own valid tokens, a resource server all valid access tokens of its school. */
export const mayIntrospect: TokenPolicy = (ctx, client, token) =>
  inEngine(async () => {
    const mayKnow = isResourceServer(client) ? token.kind !== 'RefreshToken' : token.clientId === client.clientId;
    if (!mayKnow) return false;
    const permission = await requestOf(ctx).permission();
    return permission !== undefined && permission.refusal === undefined;
  });

/** RFC 7009 section 2.1: only the client that a token was issued to may revoke it. */
export const mayRevoke: TokenPolicy = (_ctx, client, token) => {
  if (token.clientId === client.clientId) return true;
  throw toEngineError(new InvalidGrant('this token was issued to another client; only that client may revoke it'));
};

/** The fields by which a token is judged without looking up its client: see `engine-records.ts`. */
export const tokenClaims: Configuration['extraTokenClaims'] = (ctx, { client }) =>
  inEngine(async () => {
    if (!client) return undefined;
    // A service can be judged by its client only, which has at most two secrets at a time.
    if (audienceOf(client) === 'service')
      return { client_audience: 'service', client_secret_mark: requestOf(ctx).secret };
    const permission = await requestOf(ctx).permission();
    if (!permission?.member || !permission.issued) throw new Error('the engine issues a token that nobody may have');
    const { app, roles } = permission.issued;
    const source = client['campus_source'] === undefined && { client_source: 'static' };
    // From the grant at each time: a refresh token of before a narrowing gives no more than one of after it.
    const { only, sub } = requestOf(ctx).records.grant ?? {};
    return {
      client_audience: audienceOf(client),
      ...source,
      client_app: app,
      client_roles: roles,
      client_only: only,
      client_sub: sub,
      ...signInIn(ctx),
    };
  });

/** When and how the person signed in, by what is redeemed. */
function signInIn({ oidc: { entities } }: KoaContextWithOIDC): { auth_time?: number; acr?: string } {
  const { authTime, acr } = entities.AuthorizationCode ?? entities.RefreshToken ?? entities.DeviceCode ?? {};
  return { ...(authTime !== undefined && { auth_time: authTime }), ...(acr !== undefined && { acr }) };
}

export const timeToLive: Configuration['ttl'] & object = {
  AccessToken: (ctx) => withinGrant(ctx, lifetimesOf(ctx).accessToken),
  AuthorizationCode: (ctx) => lifetimesOf(ctx).authorizationCode,
  ClientCredentials: (ctx) => lifetimesOf(ctx).accessToken,
  Grant: (ctx) => lifetimesOf(ctx).grant,
  IdToken: 600,
  // Anyone can start one, so it is short until someone is signed in.
  Interaction: (ctx) => lifetimesOf(ctx)[ctx.oidc.session?.accountId === undefined ? 'pendingSignIn' : 'interaction'],
  RefreshToken: (ctx) => withinGrant(ctx, lifetimesOf(ctx).refreshToken),
  // It joins the platform's session at each authorization request. Until someone is signed in it belongs to an interaction.
  Session: (ctx, { accountId }) => (accountId === undefined ? lifetimesOf(ctx).pendingSignIn : 24 * 60 * 60),
};

export function lifetimesOf(ctx: KoaContextWithOIDC): Lifetimes {
  return requestOf(ctx).lifetimes;
}

function withinGrant({ oidc }: KoaContextWithOIDC, lifetime: number): number {
  return Math.max(1, Math.min(lifetime, oidc.entities.Grant?.remainingTTL ?? lifetime));
}
