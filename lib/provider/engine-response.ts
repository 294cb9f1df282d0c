import type { Context } from 'koa';
import type { EngineContext } from './engine.ts';

/** Hands the engine's answer to the host's context; both write to one response, so the headers are there already. */
export function sendEngineResponse(engine: EngineContext, ctx: Context): void {
  const { status, body } = engine;
  ctx.body = body;
  ctx.status = status;
  if (status === 503) ctx.set('Retry-After', '1');
}
