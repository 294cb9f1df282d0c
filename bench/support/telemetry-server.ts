import { context, metrics, trace } from '@opentelemetry/api';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { AlwaysOffSampler, AlwaysOnSampler, BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { openTelemetry } from '../../adapters/opentelemetry/index.ts';
import { redisStore } from '../../adapters/redis/index.ts';
import { connect, webMemberApp } from '../../__tests__/helpers/flow.ts';
import { startSchools } from '../../__tests__/helpers/schools.ts';
import { AsyncContextManager } from '../../examples/observability/context-manager.ts';
import type { Telemetry } from '../../lib/observe/telemetry.ts';
import { type Contender, countedRedis, serve } from './contender.ts';
import type { TokenOrder } from './token-requests.ts';

const paths = { discovery: '/.well-known/openid-configuration', userinfo: '/api/oauth/userinfo' };

type OrderFor = (path: string) => TokenOrder;

async function service(telemetry: Telemetry | undefined): Promise<OrderFor> {
  const schools = await startSchools({ campus: { store: redisStore(countedRedis()), limits: false, telemetry } });
  const { body } = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
  const headers = { authorization: `Bearer ${String(body['access_token'])}` };
  return (path) => ({ url: `${schools.harbour}${path}`, method: 'GET', headers, forms: [] });
}

/** The same service with telemetry, and twice without it. */
async function services(): Promise<Contender> {
  const all = new Map<unknown, OrderFor>();
  for (const name of ['without it', 'without it, again']) all.set(name, await service(undefined));
  all.set('with it', await service(openTelemetry()));
  return {
    place: {},
    tell: async (message) => {
      const { service: name, kind } = { service: '', kind: '', ...message };
      return all.get(name)?.(kind === 'userinfo' ? paths.userinfo : paths.discovery);
    },
  };
}

/** An SDK whose spans go nowhere. */
function startSdk(isTraced: boolean): void {
  const exporter = {
    export: (_: unknown, done: (result: { code: number }) => void) => done({ code: 0 }),
    shutdown: async () => {},
  };
  context.setGlobalContextManager(new AsyncContextManager());
  trace.setGlobalTracerProvider(
    new TracerProvider({
      sampler: isTraced ? new AlwaysOnSampler() : new AlwaysOffSampler(),
      spanProcessors: [new BatchSpanProcessor({ exporter })],
    }),
  );
  const readers = [new PrometheusExporter({ preventServerStart: true })];
  metrics.setGlobalMeterProvider(new MeterProvider({ readers }));
}

await serve({
  'no SDK': services,
  'metrics, no trace sampled': () => {
    startSdk(false);
    return services();
  },
  'metrics, every trace sampled': () => {
    startSdk(true);
    return services();
  },
});
