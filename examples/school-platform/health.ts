import type { Campus } from 'campus-oidc';
import type { Middleware } from 'koa';

/** Where a load balancer or orchestrator looks. */
export interface HealthChecks {
  readonly middleware: Middleware;
  /** From now on this process is not ready: it gets no new requests, and finishes those that it has. */
  stop(): void;
}

/** `/livez`: this process runs; if not, restart it. `/readyz`: it can serve requests now; a restart would not help. */
export function healthChecks(campus: Pick<Campus, 'health'>): HealthChecks {
  let isStopping = false;
  return {
    middleware: async (ctx, next) => {
      if (ctx.path === '/livez') {
        ctx.body = 'ok\n';
      } else if (ctx.path === '/readyz') {
        const isReady = !isStopping && (await campus.health({ write: true })).ok;
        ctx.set('Cache-Control', 'no-store');
        ctx.status = isReady ? 200 : 503;
        ctx.body = isReady ? 'ok\n' : 'not ready\n';
      } else {
        await next();
      }
    },
    stop() {
      isStopping = true;
    },
  };
}
