import type { Context, Middleware } from 'koa';
import { paths } from './paths.ts';
import { isObject } from '../kernel/validate.ts';
import type { OnFault } from '../observe/events.ts';

/** Reports a mount that requests for our paths do not reach. Returns whether there is no need to look again. */
export function checkMount(ctx: Context, middleware: Middleware, isOurs: boolean, onFault: OnFault): boolean {
  const prefix = prefixOf(ctx);
  // A host without `baseUrl` may have rewritten the address of another path.
  if (prefix?.certain === false && !isOurs) return false;
  if (prefix) {
    onFault(`campus is mounted under ${prefix.path}, where clients do not look for it`, new Error(prefixAdvice));
    return true;
  }
  // A mount under a pattern does not show at the address of a home page.
  if (!isInRouter(ctx['router'], middleware)) return isOurs;
  const message = 'campus is mounted in a router, which passes on only requests for its own routes';
  onFault(message, new Error(routerAdvice));
  return true;
}

const prefixAdvice =
  'mount campus without a path, before your routes: app.use(campus.handler()), or in a Koa application app.use(campus.middleware())';

const routerAdvice = `no request for ${paths.openidConfiguration} reaches it; mount it on the application, before the router: app.use(campus.middleware())`;

/** The path under which the middleware is mounted, as koa-mount, Express and, less certainly, Connect report it. */
function prefixOf(ctx: Context): { readonly path: string; readonly certain: boolean } | undefined {
  const mountPath: unknown = ctx['mountPath'];
  // koa-mount does not remove the property when a mounted application passes a request on.
  if (typeof mountPath === 'string' && withoutQuery(ctx.originalUrl) !== ctx.path) {
    return { path: mountPath, certain: true };
  }
  const baseUrl: unknown = Reflect.get(ctx.req, 'baseUrl');
  if (typeof baseUrl === 'string') return baseUrl === '' ? undefined : { path: baseUrl, certain: true };
  const originalUrl: unknown = Reflect.get(ctx.req, 'originalUrl');
  const original = typeof originalUrl === 'string' ? withoutQuery(originalUrl) : '';
  if (original.length <= ctx.path.length || !original.endsWith(ctx.path)) return undefined;
  return { path: original.slice(0, -ctx.path.length), certain: false };
}

function withoutQuery(url: string): string {
  return url.split('?', 1)[0] ?? '';
}

/** Whether a router of @koa/router contains the middleware and does not pass on what it must. */
function isInRouter(router: unknown, middleware: Middleware): boolean {
  if (!isObject(router) || !contains(router['stack'], middleware) || typeof router['match'] !== 'function')
    return false;
  const matched: unknown = Reflect.apply(router['match'], router, [paths.openidConfiguration, 'GET']);
  // `router.use` alone is not a route: what it adds runs in front of routes only.
  return !isObject(matched) || matched['route'] !== true || !contains(matched['pathAndMethod'], middleware);
}

function contains(layers: unknown, middleware: Middleware): boolean {
  if (!Array.isArray(layers)) return false;
  return layers.some((layer: unknown) => {
    const stack = isObject(layer) ? layer['stack'] : undefined;
    return Array.isArray(stack) && stack.includes(middleware);
  });
}
