import { type Adapter, type AdapterPayload, type Configuration, Provider } from 'oidc-provider';
import type { Redis } from 'ioredis';
import { signingKey } from '../../__tests__/helpers/keys.ts';
import { type TestClient } from '../../__tests__/helpers/flow.ts';

export const resourceScope = 'account:read';

/** Signs its cookies. */
export const stockSecret = 'a secret of the benchmark';

interface StockClients {
  readonly client: TestClient;
  /** A resource server: a client that introspects. */
  readonly introspecting: { readonly client_id: string; readonly client_secret: string };
}

/** The engine as its documentation sets it up, with the features that the benchmark compares. */
export async function stockProvider(
  issuer: string,
  { client, introspecting }: StockClients,
  adapter?: Configuration['adapter'],
): Promise<Provider> {
  return new Provider(issuer, {
    ...(adapter && { adapter }),
    clients: [
      {
        client_id: client.id,
        ...(client.secret !== undefined && { client_secret: client.secret }),
        token_endpoint_auth_method: 'client_secret_post',
        redirect_uris: [client.redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        id_token_signed_response_alg: 'ES256',
      },
      {
        ...introspecting,
        token_endpoint_auth_method: 'client_secret_post',
        redirect_uris: [],
        grant_types: [],
        response_types: [],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    scopes: ['openid', 'profile', 'email', resourceScope],
    claims: { openid: ['sub'], profile: ['name'], email: ['email'] },
    jwks: { keys: [await signingKey('stock')] },
    cookies: { keys: [stockSecret] },
    ttl: { AuthorizationCode: 60, AccessToken: 7200, RefreshToken: 2_592_000, Grant: 15_552_000, IdToken: 600 },
    features: {
      devInteractions: { enabled: false },
      introspection: { enabled: true, allowedPolicy: () => true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({ scope: resourceScope, audience: issuer, accessTokenFormat: 'opaque' }),
        useGrantedResource: () => true,
      },
    },
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    findAccount: (_ctx, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, name: 'Sam Student', email: 'sam@example.com' }),
    }),
  });
}

/** What a code of the engine is made of. */
interface CodeOf {
  readonly provider: Provider;
  readonly client: TestClient;
  readonly challenge: string;
  /** The resource, or none. */
  readonly resource: string | undefined;
  readonly scope: string;
}

/** A code, as if a person had just allowed. */
export async function stockCode({ provider, client: { id, redirectUri }, ...of }: CodeOf): Promise<string> {
  const client = await provider.Client.find(id);
  if (!client) throw new Error(`no client ${id}`);
  const accountId = 'sam';
  const grant = new provider.Grant({ accountId, clientId: id });
  grant.addOIDCScope(of.scope);
  if (of.resource !== undefined) grant.addResourceScope(of.resource, of.scope);
  const code = new provider.AuthorizationCode({
    accountId,
    client,
    grantId: await grant.save(),
    redirectUri,
    scope: of.scope,
    codeChallenge: of.challenge,
    codeChallengeMethod: 'S256',
    gty: 'authorization_code',
    ...(of.resource !== undefined && { resource: of.resource }),
  });
  return code.save();
}

const grantable = new Set(['AccessToken', 'AuthorizationCode', 'RefreshToken']);
const consumable = new Set(['AuthorizationCode', 'RefreshToken']);

/** An ordinary adapter for Redis: a key for each record and a list of keys for each grant. */
export class OrdinaryAdapter implements Adapter {
  readonly #redis: Redis;
  readonly #model: string;

  constructor(redis: Redis, model: string) {
    this.#redis = redis;
    this.#model = model;
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    const key = this.#key(id);
    const multi = this.#redis.multi();
    if (consumable.has(this.#model)) multi.hset(key, { payload: JSON.stringify(payload) });
    else multi.set(key, JSON.stringify(payload));
    if (expiresIn) multi.expire(key, expiresIn);
    if (grantable.has(this.#model) && payload.grantId !== undefined) {
      multi.rpush(this.#grant(payload.grantId), key);
      multi.expire(this.#grant(payload.grantId), expiresIn);
    }
    await multi.exec();
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    if (!consumable.has(this.#model)) {
      const text = await this.#redis.get(this.#key(id));
      return text === null ? undefined : JSON.parse(text);
    }
    const { payload, consumed } = await this.#redis.hgetall(this.#key(id));
    if (payload === undefined) return undefined;
    return { ...JSON.parse(payload), ...(consumed !== undefined && { consumed: Number(consumed) }) };
  }

  async consume(id: string): Promise<void> {
    await this.#redis.hset(this.#key(id), 'consumed', Math.floor(Date.now() / 1000));
  }

  async destroy(id: string): Promise<void> {
    await this.#redis.del(this.#key(id));
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    const keys = await this.#redis.lrange(this.#grant(grantId), 0, -1);
    await this.#redis.del(this.#grant(grantId), ...keys);
  }

  async findByUid(): Promise<undefined> {}

  async findByUserCode(): Promise<undefined> {}

  #key(id: string): string {
    return `stock:${this.#model}:${id}`;
  }

  #grant(id: string): string {
    return `stock:grant:${id}`;
  }
}
