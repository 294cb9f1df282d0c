import {
  type AdapterPayload,
  type Client,
  type IdToken,
  type KoaContextWithOIDC,
  Provider,
  type RefreshToken,
} from 'oidc-provider';
import { markOf, secretDigests, secretMatches } from '../core/clients/client-metadata.ts';
import type { JsonObject } from '../kernel/json.ts';
import { originsOf } from '../host/origins.ts';
import type { Site } from '../host/school-platform.ts';
import { paths } from '../http/paths.ts';
import { type CheckedKeys, siteSecret } from '../core/keys/keys.ts';
import { type CookieKeys, cookieKeys } from './cookie-keys.ts';
import { splitScope } from '../core/scopes/scopes.ts';
import { inEngine } from './engine-errors.ts';
import { currentRequest, requestOf } from './engine-request.ts';
import { boundedCache } from '../kernel/bounded-cache.ts';
import { epochSeconds } from '../kernel/clock.ts';
import { digest } from '../kernel/crypto.ts';
import { nextLineToken } from '../records/line-tokens.ts';
import type { AddedClaims } from '../host/host-claims.ts';
import type { BoundedIssue } from './id-token-size.ts';

interface PatchOptions {
  readonly addedClaims: AddedClaims;
  readonly issueBounded: BoundedIssue;
  readonly keys: CheckedKeys;
}

/** Changes to the engine where it has no option. Each names the test that fails when an upgrade makes it ineffective. */
export function patchEngine(provider: Provider, { keys, addedClaims, issueBounded }: PatchOptions): void {
  // One engine serves many schools. Outside a request of one this throws. Test: `__tests__/oauth/cross-school.test.ts`.
  Object.defineProperty(provider, 'issuer', { get: () => currentRequest().site.origin });

  // The store holds digests of client secrets; the engine compares plain texts. Test: `__tests__/oauth/token-refresh.test.ts`.
  replaceMember(provider, 'Client', () => {
    const Client: Provider['Client'] = Reflect.get(Provider.prototype, 'Client', provider);
    keptClients.set(provider, keepClients(Client));
    Client.prototype.compareClientSecret = function (this: Client, secret) {
      const proven = provenSecret(this, secret);
      if (proven !== undefined) currentRequest().secret = markOf(proven);
      return proven !== undefined;
    };
    return Client;
  });

  // The engine issues an ID token at every refresh too, and insists on a key. Here one is issued when a code is redeemed only,
  // and only while a key signs, with the host's own claims, which its filter would drop. Specification: Tokens 3. Tests:
  // `__tests__/oauth/id-token.test.ts`, `__tests__/oauth/host-claims.test.ts`.
  replaceMember(provider, 'IdToken', () => {
    const Model: Provider['IdToken'] = Reflect.get(Provider.prototype, 'IdToken', provider);
    const issue: IdToken['issue'] = Reflect.get(Model.prototype, 'issue');
    Object.defineProperty(Model.prototype, 'issue', {
      value: async function (this: IdToken, use: Parameters<IdToken['issue']>[0]) {
        const wanted = keys.signing.length > 0 && this.ctx.oidc.params?.['grant_type'] !== 'refresh_token';
        if (!wanted) return undefined;
        return inEngine(async () => {
          const { site, memberId, added, pseudonym } = await claimsToAdd(this.ctx, addedClaims);
          if (pseudonym !== undefined) this.set('sub', pseudonym);
          for (const [name, value] of Object.entries(added)) this.set(name, value);
          return issueBounded(this, () => issue.call(this, use), { site, memberId, added: Object.keys(added) });
        });
      },
    });
    return Model;
  });

  // A refresh token continues the line of the one that is redeemed. What the form says decides nothing: a request with a code can have
  // the token of somebody else in it. Test: `__tests__/oauth/refresh-lines.test.ts`.
  replaceMember(provider, 'RefreshToken', () => {
    const Model: Provider['RefreshToken'] = Reflect.get(Provider.prototype, 'RefreshToken', provider);
    Object.defineProperty(Model.prototype, 'generateTokenId', {
      value: function (this: RefreshToken): string {
        // The engine would work it out after this, perhaps in the next second.
        this.exp ??= epochSeconds() + this.expiration;
        return nextLineToken(currentRequest().records.lastId('RefreshToken'), this.exp);
      },
    });
    return Model;
  });

  // An assertion may be for the issuer that a school was before it moved: `assertClaims` decides, and has to be asked. Test:
  // `__tests__/features/moved-sites/moved-school.test.ts`.
  replaceMember(provider, 'OIDCContext', () => {
    const Context: Provider['OIDCContext'] = Reflect.get(Provider.prototype, 'OIDCContext', provider);
    Context.prototype.clientJwtAuthExpectedAudience = () =>
      new Set(originsOf(currentRequest().site).flatMap((issuer) => [issuer, `${issuer}${paths.token}`]));
    return Context;
  });

  // Cookie keys are the school's; the engine makes a second context for its cookies. Test: `__tests__/oauth/cross-school.test.ts`.
  const createContext = provider.createContext.bind(provider);
  const known = boundedCache<CookieKeys>(maxSites);
  const keysOf = ({ id }: Site): CookieKeys => {
    const its = known.get(id) ?? cookieKeys(keys.cookies.map((secret) => siteSecret(secret, id, 'cookies')));
    known.set(id, its);
    return its;
  };
  // One getter for all contexts: one for each is slow to make in V8.
  const withSiteKeys: Provider & { campusSite?: Site } = Object.create(provider, {
    keys: {
      get(this: { readonly campusSite: Site }): CookieKeys {
        return keysOf(this.campusSite);
      },
    },
  });
  provider.createContext = (req, res) => {
    const ctx = createContext(req, res);
    const app: typeof withSiteKeys = Object.create(withSiteKeys);
    app.campusSite = requestOf(ctx).site;
    ctx.app = app;
    return ctx;
  };
}

/** For how many schools the keys of cookies are kept. */
const maxSites = 1000;

/** The digest of a secret that is the client's. */
function provenSecret(client: Client, secret: string): string | undefined {
  const given = digest(secret);
  return secretMatches(secretDigests(client, client.clientSecret), given) ? given : undefined;
}

/** The client that an engine has made of this metadata, if it has. */
type KeptClient = (metadata: AdapterPayload) => Client | undefined;

const keptClients = new WeakMap<Provider, KeptClient>();

/**
 * Whether a secret, or none, shows that a client that the engine has checked before sends a request, by the comparison that the engine uses.
 * The methods stand here by name: for all others the engine decides. Test: `__tests__/oauth/resource-servers.test.ts`.
 */
export function authenticates(provider: Provider, metadata: AdapterPayload, secret: string | undefined): boolean {
  const client = keptClients.get(provider)?.(metadata);
  if (!client || client.clientSecretExpiresAt) return false;
  const { clientAuthMethod: method } = client;
  if (method === 'none') return secret === undefined;
  const hasSecret = method === 'client_secret_post' || method === 'client_secret_basic';
  return hasSecret && secret !== undefined && provenSecret(client, secret) !== undefined;
}

/** How many clients that the engine has checked are kept. The engine itself keeps 100, which is few for the schools of a platform. */
const maxClients = 2000;

/** Finds clients as the engine does, but keeps more of them. They are the same at every school where their metadata is. */
function keepClients(Client: Provider['Client']): KeptClient {
  const kept = boundedCache<Client>(maxClients);
  const find = Client.find.bind(Client);
  const clientOf = async (id: string, metadata: AdapterPayload): Promise<Client | undefined> => {
    const key = JSON.stringify(metadata);
    const client = kept.get(key) ?? (await find(id));
    if (client) kept.set(key, client);
    return client;
  };
  // Clients that are configured in code have one metadata object; a request has one of each other client.
  const byMetadata = new WeakMap<AdapterPayload, Client>();
  Client.find = async (id) => {
    const metadata =
      typeof id === 'string' && id !== '' ? await inEngine(() => currentRequest().engineClient(id)) : undefined;
    if (!metadata) return undefined;
    const client = byMetadata.get(metadata) ?? (await clientOf(id, metadata));
    if (client) byMetadata.set(metadata, client);
    return client;
  };
  return (metadata) => byMetadata.get(metadata) ?? kept.get(JSON.stringify(metadata));
}

interface ToAdd {
  readonly site: Site;
  readonly memberId: string;
  /** Nothing where the client knows people by pseudonyms: what the host adds can tell who the person is. */
  readonly added: JsonObject;
  /** What stands in place of the id of the member, which the engine has. */
  readonly pseudonym: string | undefined;
}

/** Those of the access token that is issued with the ID token, and so of UserInfo. */
async function claimsToAdd(ctx: KoaContextWithOIDC, addedClaims: AddedClaims): Promise<ToAdd> {
  const { AccessToken: token } = ctx.oidc.entities;
  const request = requestOf(ctx);
  const { site } = request;
  const member = token?.accountId === undefined ? undefined : await request.member(token.accountId);
  if (!token || !member) throw new Error('the engine issues an ID token without an access token');
  const { sub: pseudonym } = request.records.grant ?? {};
  const added = pseudonym === undefined ? await addedClaims(site, member, splitScope(token.scope)) : {};
  return { site, memberId: member.id, added, pseudonym };
}

function replaceMember<K extends keyof Provider>(provider: Provider, name: K, make: () => Provider[K]): void {
  Object.defineProperty(provider, name, {
    configurable: true,
    get: () => {
      const value = make();
      Object.defineProperty(provider, name, { value });
      return value;
    },
  });
}
