import type { IncomingMessage, ServerResponse } from 'node:http';
import Koa, { type Context, type Middleware } from 'koa';
import { ServerError } from '../kernel/errors.ts';
import { flag, group, type Shape, whole } from '../kernel/option-schemas.ts';
import { isObject, readOptions } from '../kernel/validate.ts';
import type { OnFault } from '../observe/events.ts';
import { sendError } from './send.ts';

/** Options of `campus.handler`. */
export interface HandlerOptions {
  /**
   * Whether the proxy in front sets `X-Forwarded-Proto`, `X-Forwarded-Host` and `X-Forwarded-For` itself, so that they can be
   * trusted. @default what `trust proxy` says of the caller in an Express application, otherwise `false`
   */
  readonly proxy?: boolean | undefined;
  /** How many proxies are in front and add to `X-Forwarded-For`; used with `proxy: true`. @default 1 */
  readonly maxIpsCount?: number | undefined;
}

/** A listener for `node:http`, which is also a middleware of Express and Connect. It never throws. */
export type NodeHandler = (req: IncomingMessage, res: ServerResponse, next?: () => void) => void;

const handlerSchema = group({
  proxy: flag.optional(),
  maxIpsCount: whole('whole number', 1, 100).default(1),
} satisfies Shape<HandlerOptions>);

interface HostCall {
  readonly next: (() => void) | undefined;
  readonly statusCode: number;
  /** The caller's address as Express computed it. */
  readonly ip: string | undefined;
}

/** A request that the middleware passes on goes to `next` as it came; without `next` it gets 404. @throws TypeError for a wrong option */
export function createNodeHandler(middleware: Middleware, onFault: OnFault, options: HandlerOptions = {}): NodeHandler {
  const { proxy, maxIpsCount } = readOptions(handlerSchema, options, 'handler');
  const calls = new WeakMap<IncomingMessage, HostCall>();
  const run = async (ctx: Context): Promise<void> => {
    const call = calls.get(ctx.req);
    if (call?.ip !== undefined) ctx.request.ip = call.ip;
    if (!(await isPassedOn(middleware, ctx, onFault)) || !call?.next) return;
    ctx.respond = false;
    ctx.res.statusCode = call.statusCode;
    call.next();
  };
  const listener = (trusted: boolean): ReturnType<Koa['callback']> => {
    const app = new Koa({ proxy: trusted, maxIpsCount }).use(run);
    app.on('error', (error: unknown) => isDisconnect(error) || onFault('a request failed', error));
    return app.callback();
  };
  const [direct, proxied] = [listener(false), listener(true)];
  return (req, res, next) => {
    const trustedByHost = proxy === undefined && trustsProxy(req);
    const ip = trustedByHost && 'ip' in req && typeof req.ip === 'string' ? req.ip : undefined;
    calls.set(req, { next, statusCode: res.statusCode, ip });
    void ((proxy ?? trustedByHost) ? proxied : direct)(req, res);
  };
}

async function isPassedOn(middleware: Middleware, ctx: Context, onFault: OnFault): Promise<boolean> {
  let passedOn = false;
  try {
    await middleware(ctx, async () => {
      passedOn = true;
    });
  } catch (error) {
    onFault('a request failed', error);
    sendError(ctx, new ServerError(error));
  }
  return passedOn;
}

/** `HPE_…` is an error of Node's HTTP parser: the body ended too early, or more followed than was announced. */
const disconnect = /^(?:ERR_STREAM_PREMATURE_CLOSE|ECONNRESET|ECONNABORTED|EPIPE|HPE_\w+)$/;

/** Whether the caller has gone, or has sent what is not HTTP, before the response was complete: not a fault. */
function isDisconnect(error: unknown): boolean {
  return isObject(error) && disconnect.test(String(error['code']));
}

/** Whether an Express application trusts the address that a request comes from. Mounted applications inherit the setting. */
function trustsProxy(req: IncomingMessage): boolean {
  const app: unknown = 'app' in req ? req.app : undefined;
  const settings: unknown = typeof app === 'function' && 'settings' in app ? app.settings : undefined;
  const trusts = isObject(settings) ? settings['trust proxy fn'] : undefined;
  return typeof trusts === 'function' && Reflect.apply(trusts, app, [req.socket.remoteAddress, 0]) === true;
}
