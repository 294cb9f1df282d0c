import type { Context, Middleware } from 'koa';
import { paths } from '../protocol/paths.ts';
import { isObject } from '../protocol/validate.ts';
import type { OnFault } from '../runtime/events.ts';

/** Looks at how a request came to the middleware; `isOurs`: its path is one of ours. Changes no response. */
export type MountCheck = (ctx: Context, middleware: Middleware, isOurs: boolean) => void;

/** Reports, once, that the middleware is mounted where requests for its paths do not reach it. */
export function createMountCheck(onFault: OnFault): MountCheck {
  let reported = false;
  const seen = new WeakSet<object>();
  return (ctx, middleware, isOurs) => {
    if (reported) return;
    const prefix = prefixOf(ctx, isOurs);
    if (prefix !== undefined) {
      reported = true;
      return onFault(`campus is mounted under ${prefix}, where clients do not look for it`, new Error(prefixAdvice));
    }
    const router: unknown = ctx['router'];
    if (!isObject(router) || seen.has(router)) return;
    seen.add(router);
    if (passesOn(router, middleware)) return;
    reported = true;
    onFault('campus is mounted in a router, which passes on only requests for its own routes', new Error(routerAdvice));
  };
}

const prefixAdvice =
  'the addresses of an OpenID provider begin at the root of its origin; mount it there, without a path, in front of the routes: app.use(campus.handler()), or in a Koa application app.use(campus.middleware())';

const routerAdvice = `no request for ${paths.openidConfiguration} reaches it; mount it on the application, in front of the router: app.use(campus.middleware())`;

/** The path under which the middleware is mounted, as koa-mount, Express and Connect report it. */
function prefixOf(ctx: Context, isOurs: boolean): string | undefined {
  const mountPath: unknown = ctx['mountPath'];
  // koa-mount does not remove the property when a mounted application passes a request on.
  if (typeof mountPath === 'string' && withoutQuery(ctx.originalUrl) !== ctx.path) return mountPath;
  const baseUrl: unknown = Reflect.get(ctx.req, 'baseUrl');
  const originalUrl: unknown = Reflect.get(ctx.req, 'originalUrl');
  if (typeof baseUrl === 'string') return baseUrl === '' ? undefined : baseUrl;
  // A host may have rewritten the address of another path.
  if (!isOurs || typeof originalUrl !== 'string') return undefined;
  const original = withoutQuery(originalUrl);
  return original.length > ctx.path.length && original.endsWith(ctx.path)
    ? original.slice(0, -ctx.path.length)
    : undefined;
}

function withoutQuery(url: string): string {
  return url.split('?', 1)[0] ?? '';
}

/** Whether a router of @koa/router passes on what it must, or does not contain the middleware. */
function passesOn(router: Readonly<Record<string, unknown>>, middleware: Middleware): boolean {
  const { stack, match } = router;
  if (!contains(stack, middleware) || typeof match !== 'function') return true;
  const matched: unknown = Reflect.apply(match, router, [paths.openidConfiguration, 'GET']);
  // `router.use` alone is not a route: what it adds runs in front of routes only.
  return isObject(matched) && matched['route'] === true && contains(matched['pathAndMethod'], middleware);
}

function contains(layers: unknown, middleware: Middleware): boolean {
  if (!Array.isArray(layers)) return false;
  return layers.some((layer: unknown) => {
    const stack = isObject(layer) ? layer['stack'] : undefined;
    return Array.isArray(stack) && stack.includes(middleware);
  });
}
