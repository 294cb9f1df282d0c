import { context, metrics, trace } from '@opentelemetry/api';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { AlwaysOffSampler, AlwaysOnSampler, BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { openTelemetry } from '../../adapters/opentelemetry/index.ts';
import { redisStore } from '../../adapters/redis/index.ts';
import { connect, webMemberApp } from '../../__tests__/helpers/flow.ts';
import { startSchools } from '../../__tests__/helpers/schools.ts';
import { AsyncContextManager } from '../../examples/observability/context-manager.ts';
import { type Contender, countedRedis, serve } from './contender.ts';

const paths = { discovery: '/.well-known/openid-configuration', userinfo: '/api/oauth/userinfo' };

async function campus(isObserved: boolean): Promise<Contender> {
  const telemetry = isObserved ? openTelemetry() : undefined;
  const schools = await startSchools({ campus: { store: redisStore(countedRedis()), limits: false, telemetry } });
  const { body } = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
  const headers = { authorization: `Bearer ${String(body['access_token'])}` };
  const orderFor = (path: string): object => ({ url: `${schools.harbour}${path}`, method: 'GET', headers, forms: [] });
  return {
    place: {},
    tell: async (message) =>
      orderFor('kind' in message && message.kind === 'userinfo' ? paths.userinfo : paths.discovery),
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
  'without it': () => campus(false),
  'without it, again': () => campus(false),
  'no SDK': () => campus(true),
  'metrics, no trace sampled': () => {
    startSdk(false);
    return campus(true);
  },
  'metrics, every trace sampled': () => {
    startSdk(true);
    return campus(true);
  },
});
