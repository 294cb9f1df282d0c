import Koa, { type Context, type Middleware } from 'koa';
import { memoryStore } from '../../adapters/memory/index.ts';
import { campusOf } from '../../lib/campus.ts';
import { partsOf } from '../../lib/public/campus.ts';
import type { Campus } from '../../lib/index.ts';
import { keysSchema } from '../../lib/core/keys/options.ts';
import type { Settings } from '../../lib/options/options.ts';
import type { CheckedKeys } from '../../lib/core/keys/keys.ts';
import { readOptions } from '../../lib/kernel/validate.ts';
import { signingKey } from '../helpers/keys.ts';

/** What stands between the clients and the application, and does harm. */
export interface Broken {
  /** How the deployment is broken. */
  readonly how: string;
  /** The ids of checks, some at least, that must find it. */
  readonly found: readonly string[];
  readonly proxy: Middleware;
}

/** An application with something in front. */
export function behind(proxy: Middleware): (campus: Campus) => Koa {
  return (campus) => {
    const app = new Koa();
    app.silent = true;
    app.use(proxy);
    app.use(campus.middleware());
    return app;
  };
}

/** Two processes behind a load balancer that goes round. */
export interface TwoProcesses {
  readonly how: string;
  /** What is wrong, and nothing else is. */
  readonly found: readonly string[];
  /** What the report says. */
  readonly says: string;
  /** Finds it without `--write`, too. */
  readonly isPublic?: boolean;
  /** How the second process differs. */
  readonly second: (settings: Settings) => Partial<Settings>;
}

/** An application in two processes, which get requests in turn. */
export function inTwoProcesses(second: TwoProcesses['second']): (campus: Campus) => Koa {
  return (campus) => {
    const settings = partsOf(campus)?.settings;
    if (!settings) throw new Error('no campus');
    const processes = [campus, campusOf({ ...settings, ...second(settings) })].map((each) => each.middleware());
    let turn = 0;
    const app = new Koa();
    app.use((ctx, next) => processes[turn++ % processes.length]?.(ctx, next));
    return app;
  };
}

const withKeys =
  (change: Partial<CheckedKeys>): TwoProcesses['second'] =>
  (settings) => {
    if (typeof settings.keys === 'function') throw new Error('keys is a function');
    return { keys: { ...settings.keys, ...change } };
  };

function after(change: (ctx: Context) => void, matches: (path: string) => boolean = () => true): Middleware {
  return async (ctx, next) => {
    await next();
    if (matches(ctx.path)) change(ctx);
  };
}

function rewriting(change: (text: string, ctx: Context) => string, matches?: (path: string) => boolean): Middleware {
  return after((ctx) => {
    if (typeof ctx.body === 'string') {
      const { type } = ctx;
      ctx.body = change(ctx.body, ctx);
      ctx.type = type;
    }
  }, matches);
}

const isMetadata = (path: string): boolean => /oauth-authorization-server|openid-configuration/.test(path);
const isKeys = (path: string): boolean => path.endsWith('/jwks.json');
const isPath =
  (...paths: string[]) =>
  (path: string): boolean =>
    paths.includes(path);

function staleKeys(): Middleware {
  return rewriting((text, ctx) => (ctx.querystring === '' ? text.replace('"key-1"', '"key-0"') : text), isKeys);
}

/** Deployments that are broken in one way each. */
export const brokenDeployments: readonly Broken[] = [
  {
    how: 'a proxy writes another host into responses',
    found: ['issuer', 'addresses', 'resource /', 'openapi'],
    proxy: rewriting((text, ctx) => text.replaceAll(ctx.host, 'internal.example:8080')),
  },
  {
    how: 'the application believes that it is at http:',
    found: ['issuer'],
    proxy: rewriting((text) => text.replace('"issuer":"http://', '"issuer":"https://'), isMetadata),
  },
  {
    how: 'a proxy has an old copy of one metadata document',
    found: ['metadata-agree', 'metadata-complete'],
    proxy: rewriting((text) => text.replace('"S256"', '"plain"'), isPath('/.well-known/oauth-authorization-server')),
  },
  {
    how: 'one address is on another host',
    found: ['addresses'],
    proxy: rewriting(
      (text) => text.replace(/"token_endpoint":"[^"]+"/, '"token_endpoint":"https://api.example/token"'),
      isMetadata,
    ),
  },
  {
    how: 'a proxy redirects well-known paths',
    found: ['metadata /.well-known/openid-configuration', 'metadata /.well-known/oauth-authorization-server'],
    proxy: after((ctx) => ctx.redirect('https://www.example/'), isMetadata),
  },
  {
    how: 'a single-page application answers every unknown path with its page',
    found: ['resource /mcp'],
    proxy: after((ctx) => {
      ctx.type = 'html';
      ctx.body = '<!doctype html><div id="root"></div>';
    }, isPath('/.well-known/oauth-protected-resource/mcp')),
  },
  {
    how: 'a resource names another authorization server',
    found: ['resource /mcp/operator'],
    proxy: rewriting(
      (text) => text.replace(/"authorization_servers":\[[^\]]*\]/, '"authorization_servers":["https://sso.example"]'),
      isPath('/.well-known/oauth-protected-resource/mcp/operator'),
    ),
  },
  { how: 'a CDN keeps old keys', found: ['keys-fresh'], proxy: staleKeys() },
  {
    how: 'a CDN has kept the keys for a day',
    found: ['keys-fresh'],
    proxy: after((ctx) => ctx.set('Age', '86400'), isKeys),
  },
  {
    how: 'a key is published with its private part',
    found: ['keys'],
    proxy: rewriting((text) => text.replace('"kty"', '"d":"secret","kty"'), isKeys),
  },
  {
    how: 'there are no keys',
    found: ['keys'],
    proxy: rewriting(() => '{"keys":[]}', isKeys),
  },
  {
    how: 'a proxy removes CORS headers',
    found: ['cors /.well-known/jwks.json', 'cors-preflight'],
    proxy: after((ctx) => {
      for (const name of ['Allow-Origin', 'Expose-Headers', 'Allow-Headers']) ctx.remove(`Access-Control-${name}`);
    }),
  },
  {
    how: 'a firewall refuses OPTIONS',
    found: ['cors-preflight'],
    proxy: async (ctx, next) => {
      if (ctx.method === 'OPTIONS') ctx.status = 405;
      else await next();
    },
  },
  {
    how: 'a load balancer sets a cookie on cached documents',
    found: ['cache /.well-known/openid-configuration'],
    proxy: after((ctx) => ctx.append('Set-Cookie', 'lb=node-1; Path=/'), isMetadata),
  },
  {
    how: 'a CDN lets documents be cached for a year',
    found: ['cache /.well-known/jwks.json'],
    proxy: after((ctx) => ctx.set('Cache-Control', 'public, max-age=31536000'), isKeys),
  },
  {
    how: 'a CDN removes no-store',
    found: ['token'],
    proxy: after((ctx) => ctx.remove('Cache-Control'), isPath('/api/oauth/token')),
  },
  {
    how: 'a proxy removes WWW-Authenticate',
    found: ['challenge /mcp/operator without a token', 'challenge /api/oauth/userinfo with a wrong token'],
    proxy: after((ctx) => ctx.remove('WWW-Authenticate')),
  },
  {
    how: 'a gateway turns 401 into 403',
    found: ['challenge /mcp/operator without a token', 'app VS Code, registered'],
    proxy: after((ctx) => {
      if (ctx.status === 401) ctx.status = 403;
    }),
  },
  {
    how: 'a challenge points to a host inside',
    found: ['challenge /mcp/operator without a token'],
    proxy: after((ctx) => {
      const header = ctx.response.get('WWW-Authenticate');
      if (header) ctx.set('WWW-Authenticate', header.replace(/http:\/\/[^/"]+/, 'http://10.0.0.7'));
    }),
  },
  {
    how: 'a firewall answers POST with JSON by a page',
    found: ['mcp 2025-11-25', 'registration'],
    proxy: async (ctx, next) => {
      if (ctx.method !== 'POST' || !ctx.is('json')) {
        await next();
        return;
      }
      ctx.status = 403;
      ctx.type = 'html';
      ctx.body = '<h1>Request blocked</h1>';
    },
  },
  {
    how: 'the token endpoint is not routed',
    found: ['token', 'endpoint /api/oauth/revoke'],
    proxy: async (ctx, next) => {
      if (!ctx.path.startsWith('/api/')) await next();
    },
  },
  {
    how: 'the authorization endpoint is behind the platform’s own sign-in',
    found: ['authorize'],
    proxy: after((ctx) => ctx.redirect('/login'), isPath('/oauth/authorize')),
  },
  {
    how: 'a middleware of the application sets a Content-Security-Policy with form-action',
    found: ['form-action'],
    proxy: after(
      (ctx) => ctx.set('Content-Security-Policy', "default-src 'self';form-action 'self'"),
      isPath('/oauth/authorize'),
    ),
  },
  {
    how: 'a middleware of the application sets CORS headers of its own',
    found: ['cors /.well-known/jwks.json', 'cors-preflight'],
    proxy: after((ctx) => ctx.set('Access-Control-Allow-Origin', 'https://www.example')),
  },
];

const given = { signing: [await signingKey('key-1')], cookies: ['another secret of the tests'] };
const other = readOptions(keysSchema, given, 'keys');

/** Deployments of two processes that differ in one way each. */
export const twoProcesses: readonly TwoProcesses[] = [
  {
    how: 'the processes have different cookie secrets',
    found: ['processes-cookies'],
    says: 'the processes at this origin have different cookie secrets: ',
    second: withKeys({ cookies: other.cookies }),
  },
  {
    how: 'the processes have different signing keys, under one name',
    found: ['processes-keys'],
    says: 'the processes at this origin have different signing keys: key-1 (',
    isPublic: true,
    second: withKeys({ signing: other.signing }),
  },
  {
    how: 'each process has a store of its own',
    found: ['processes-store'],
    says: 'the processes at this origin do not share a store: the client that was registered just now is unknown to 4 of 8 requests',
    second: () => ({ store: memoryStore() }),
  },
  {
    how: 'the second process has begun to rotate its keys',
    found: [],
    says: 'all processes have the same signing keys',
    isPublic: true,
    second: withKeys({ published: other.signing.map((key) => ({ ...key, kid: 'key-2' })) }),
  },
];
