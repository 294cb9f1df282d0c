import type { IncomingMessage, ServerResponse } from 'node:http';
import Koa, { type Context, type Middleware } from 'koa';
import { ServerError } from '../kernel/errors.ts';
import { group } from '../kernel/option-schemas.ts';
import { isObject, readOptions } from '../kernel/validate.ts';
import type { OnFault } from '../observe/events.ts';
import { type ProxyOptions, proxyFields, trustIn } from './proxy-options.ts';
import { sendError } from './send.ts';

/** A listener for `node:http`, which is also a middleware of Express and Connect. It never throws. */
export type NodeHandler = (req: IncomingMessage, res: ServerResponse, next?: () => void) => void;

const handlerSchema = group(proxyFields);

interface HostCall {
  readonly next: (() => void) | undefined;
  readonly statusCode: number;
  /** The caller's address as Express computed it. */
  readonly ip: string | undefined;
}

/** A request that the middleware passes on goes to `next` as it came; without `next` it gets 404. @throws TypeError for a wrong option */
export function createNodeHandler(middleware: Middleware, onFault: OnFault, options: ProxyOptions = {}): NodeHandler {
  const trust = readOptions(handlerSchema, options, 'handler');
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
    const app = new Koa({ proxy: trusted, maxIpsCount: trust.maxIpsCount }).use(run);
    app.on('error', (error: unknown) => isDisconnect(error) || onFault('a request failed', error));
    return app.callback();
  };
  const [direct, proxied] = [listener(false), listener(true)];
  return (req, res, next) => {
    const { isProxied, ip } = trustIn(req, trust);
    calls.set(req, { next, statusCode: res.statusCode, ip });
    void (isProxied ? proxied : direct)(req, res);
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
