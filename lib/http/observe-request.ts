import type { ServerResponse } from 'node:http';
import type { Context } from 'koa';
import type { RequestOutcome, Telemetry } from '../contracts/telemetry.ts';

type Handle = () => void | Promise<void>;

export function requestObserver(
  telemetry: Telemetry | undefined,
  ctx: Context,
  { route, origin }: { readonly route: string; readonly origin: string },
): ((siteId: string | undefined, handle: Handle) => Promise<void>) | undefined {
  if (!telemetry?.isOn()) return undefined;
  const scheme = origin.startsWith('https:') ? 'https' : 'http';
  const arrived = { method: ctx.method, route, scheme, started: performance.now() } as const;
  return (siteId, handle) =>
    telemetry.request({ ...arrived, siteId }, async () => {
      await handle();
      return outcomeOf(ctx);
    });
}

/** The codes of errors that are shown as pages. The engine's context and the host's have one response. */
const shownErrors = new WeakMap<ServerResponse, string>();

export function noteShownError(ctx: Context, code: string): void {
  shownErrors.set(ctx.res, code);
}

function outcomeOf(ctx: Context): RequestOutcome {
  return { status: ctx.status, error: shownErrors.get(ctx.res) ?? errorInBody(ctx.body) ?? errorInRedirect(ctx) };
}

function errorInBody(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('error' in body)) return undefined;
  return typeof body.error === 'string' ? body.error : undefined;
}

/** RFC 6749 section 4.1.2.1. A redirect with a code is a success, whatever else the client's own URI says. */
function errorInRedirect(ctx: Context): string | undefined {
  const location: unknown = ctx.response.headers['location'];
  if (typeof location !== 'string' || !location.includes('error=')) return undefined;
  const parameters = URL.parse(location)?.searchParams;
  return parameters?.has('code') ? undefined : (parameters?.get('error') ?? undefined);
}
