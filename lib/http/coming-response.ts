import type { Context } from 'koa';

/** The response to a request, as long as it is not sent. */
export interface ComingResponse {
  set(header: string, value: string): void;
  /** Calls the listener with the status when it is sent. */
  whenSent(listener: (status: number) => void): void;
}

/** The response of a Koa application. */
export function koaResponse(ctx: Context): ComingResponse {
  return {
    set: (header, value) => ctx.set(header, value),
    whenSent: (listener) => void ctx.res.once('finish', () => listener(ctx.res.statusCode)),
  };
}
