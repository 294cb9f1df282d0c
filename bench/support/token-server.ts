import { DatabaseSync } from 'node:sqlite';
import Koa from 'koa';
import type { Configuration } from 'oidc-provider';
import { Pool } from 'pg';
import { memoryStore } from '../../adapters/memory/index.ts';
import { postgresStore } from '../../adapters/postgres/index.ts';
import { redisStore } from '../../adapters/redis/index.ts';
import { sqliteStore } from '../../adapters/sqlite/index.ts';
import { testResourceServers } from '../../__tests__/helpers/clients.ts';
import { type Code, getCode, pkce, webMemberApp } from '../../__tests__/helpers/flow.ts';
import { startSchools } from '../../__tests__/helpers/schools.ts';
import { listen } from '../../__tests__/helpers/server.ts';
import type { SchoolPlatform } from '../../lib/index.ts';
import { cookieKeys } from '../../lib/engine/cookie-keys.ts';
import { paths } from '../../lib/http/paths.ts';
import { digest } from '../../lib/kernel/crypto.ts';
import type { Store } from '../../lib/store.ts';
import { type Names, type Repeat, repeatedCalls, watchStore } from './connections.ts';
import { type Contender, countedRedis, serve } from './contender.ts';
import { atSchools } from './school-contender.ts';
import { OrdinarySqlAdapter, ordinaryTable } from './stock-sql.ts';
import { OrdinaryAdapter, resourceScope, stockCode, stockProvider, stockSecret } from './stock.ts';
import { type CodeKind, isPreparation, prepare, type TokenService } from './token-requests.ts';

const client = webMemberApp;
const credentials = { client_id: client.id, client_secret: client.secret ?? '' };
const [gateway] = testResourceServers;
const introspecting = { client_id: gateway.clientId, client_secret: gateway.clientSecret };
const identity = 'openid profile email';
const scopes: Readonly<Record<CodeKind, string>> = {
  resource: resourceScope,
  openid: `${identity} ${resourceScope}`,
  userinfo: identity,
};

/** Without a page: who has allowed the client before is not asked again. */
const silent = {
  response_type: 'code',
  scope: scopes.resource,
  code_challenge_method: 'S256',
  prompt: 'none',
  state: 'a state',
};

let people = 0;

/** So many times as many people as a turn has are signed in, once: they take turns, so that few codes of one person are alive. */
const groups = 5;

function signedIn(signIn: () => Promise<string>): TokenService['signIn'] {
  const made: string[] = [];
  let turn = 0;
  return async (count) => {
    while (made.length < groups * count) made.push(...(await Promise.all(Array.from({ length: 20 }, signIn))));
    turn += 1;
    return made.slice((turn % groups) * count, ((turn % groups) + 1) * count);
  };
}

function contender(service: TokenService): Contender {
  const tell = async (message: object): Promise<unknown> => {
    if (!isPreparation(message)) throw new Error(`cannot prepare ${JSON.stringify(message)}`);
    return prepare(service, message);
  };
  return { place: {}, tell };
}

async function stock(adapter?: Configuration['adapter']): Promise<Contender> {
  const { verifier, challenge } = pkce();
  const made = Promise.withResolvers<Awaited<ReturnType<typeof stockProvider>>>();
  const { port } = await listen(async (at) => {
    const provider = await stockProvider(`http://localhost:${at}`, { client, introspecting }, adapter);
    made.resolve(provider);
    const handle = provider.callback();
    return (req, res) => void handle(req, res);
  });
  const provider = await made.promise;
  const origin = `http://localhost:${port}`;
  const signIn = signedIn(async () => {
    const accountId = `member-${(people += 1)}`;
    const grant = new provider.Grant({ accountId, clientId: client.id });
    grant.addOIDCScope(resourceScope);
    grant.addResourceScope(origin, resourceScope);
    const session = new provider.Session();
    session.loginAccount({ accountId });
    session.ensureClientContainer(client.id);
    session.grantIdFor(client.id, await grant.save());
    const id = await session.save(24 * 60 * 60);
    const cookie = `${provider.cookieName('session')}=${id}`;
    return `${cookie}; ${cookie.replace('=', '.sig=').replace(id, cookieKeys([stockSecret]).sign(cookie))}`;
  });
  return contender({
    signIn,
    silent: { ...silent, resource: origin },
    endpoints: {
      authorization: `${origin}/auth`,
      token: `${origin}/token`,
      userinfo: `${origin}/me`,
      introspection: `${origin}/token/introspection`,
      discovery: `${origin}/.well-known/openid-configuration`,
    },
    credentials,
    introspecting,
    redirectUri: client.redirectUri,
    code: async (what) => {
      // The engine's UserInfo refuses tokens of a resource.
      const resource = what === 'userinfo' ? undefined : origin;
      return { code: await stockCode({ provider, client, challenge, resource, scope: scopes[what] }), verifier };
    },
  });
}

/** A member who allowed, whose code is written again and again under other names. */
interface Model {
  readonly code: Code;
  readonly repeat: Repeat;
}

/** In seconds, and the longest: the codes of a model expire with it. */
const codeLifetime = 600;

async function ours(store: Store): Promise<Contender> {
  const { watched, noteDuring } = watchStore(store);
  const wrapPlatform = (platform: SchoolPlatform): SchoolPlatform => ({
    ...platform,
    findMember: (_site, id) => ({ id, name: 'Sam Student', email: 'sam@example.com', roles: ['student'] }),
  });
  const schools = await startSchools({
    campus: { store: watched, limits: false, lifetimes: { authorizationCode: codeLifetime } },
    wrapPlatform,
  });
  const origin = schools.harbour;
  const models = new Map<CodeKind, { readonly madeAt: number; readonly model: Promise<Model> }>();
  // A member of its own: who allowed before has a grant already, and its code alone would be written.
  const modelOf = async (what: CodeKind, madeAt: number): Promise<Model> => {
    const memberId = `model-${madeAt}-of-${what}`;
    const { made: code, notes } = await noteDuring(() =>
      getCode(schools.browser(memberId), origin, client, { scope: scopes[what] }),
    );
    return { code, repeat: repeatedCalls(notes, namesOf(memberId, code.code)) };
  };
  const namesOf = (memberId: string, code: string): Names => {
    const [siteId, accessToken, refreshToken] = ['harbour', 'no access token', 'no refresh token'];
    return { siteId, origin, memberId, clientId: client.id, code, accessToken, refreshToken };
  };
  let number = 0;
  const signIn = signedIn(async () => {
    const memberId = `person-${(people += 1)}`;
    const browser = schools.browser(memberId);
    for (const changes of [{}, { prompt: 'none' }])
      await getCode(browser, origin, client, { scope: scopes.resource, ...changes });
    return [`person=${memberId}`, ...browser.cookies().map(({ name, value }) => `${name}=${value}`)].join('; ');
  });
  return contender({
    signIn,
    silent: { ...silent, resource: origin },
    endpoints: {
      authorization: `${origin}${paths.authorize}`,
      token: `${origin}/api/oauth/token`,
      userinfo: `${origin}/api/oauth/userinfo`,
      introspection: `${origin}/api/oauth/introspect`,
      discovery: `${origin}/.well-known/openid-configuration`,
    },
    credentials: { ...credentials, resource: origin },
    introspecting,
    redirectUri: client.redirectUri,
    code: async (what) => {
      let last = models.get(what);
      const now = Date.now();
      if (!last || now > last.madeAt + (codeLifetime * 1000) / 2) {
        last = { madeAt: now, model: modelOf(what, now) };
        models.set(what, last);
      }
      const { code, repeat } = await last.model;
      number += 1;
      const next = namesOf(`member-${number}`, digest(`code ${number}`));
      await repeat(next);
      return { code: next.code, verifier: code.verifier };
    },
  });
}

/** JSON of the size of a discovery document, with nothing around it. */
async function bareKoa(): Promise<Contender> {
  const document = { issuer: 'http://localhost', filling: Array.from({ length: 60 }, (_, i) => `member:${i}:read`) };
  const app = new Koa();
  app.use((ctx) => {
    ctx.body = document;
  });
  const { port } = await listen(() => app.callback());
  const url = `http://localhost:${port}/`;
  return { place: {}, tell: async () => ({ url, method: 'GET', headers: {}, forms: [] }) };
}

function postgres(): Pool {
  const pool = new Pool({ connectionString: process.env['POSTGRES_URL'], max: 10 });
  return pool.on('error', () => {});
}

async function migrated(store: ReturnType<typeof postgresStore>): Promise<Contender> {
  await store.migrate();
  return ours(store);
}

await serve({
  'stock, memory': () => stock(),
  'stock, Redis': () => {
    const redis = countedRedis();
    return stock((model: string) => new OrdinaryAdapter(redis, model));
  },
  'stock, PostgreSQL': async () => {
    const pool = postgres();
    await pool.query(ordinaryTable);
    return stock((model: string) => new OrdinarySqlAdapter(pool, model));
  },
  'ours, memory': () => ours(memoryStore()),
  'ours, Redis': () => ours(redisStore(countedRedis())),
  'ours, PostgreSQL': () => migrated(postgresStore(postgres())),
  'ours, SQLite': () => migrated(sqliteStore(new DatabaseSync(':memory:'))),
  'bare Koa': bareKoa,
  'one school': () => atSchools(1),
  '10,000 schools': () => atSchools(10_000),
});
