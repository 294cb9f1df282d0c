import { context, metrics, trace } from '@opentelemetry/api';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, ConsoleSpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import { AsyncContextManager } from './context-manager.ts';

// With instrumentations of other packages, start with `node --import ./sdk.ts server.ts`. In production an OTLP exporter takes the
// place of the console.
context.setGlobalContextManager(new AsyncContextManager());
trace.setGlobalTracerProvider(
  new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter: new ConsoleSpanExporter() })] }),
);

const metricsPort = Number(process.env.METRICS_PORT ?? 9464);
export const metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
const exporter = new PrometheusExporter({ host: '127.0.0.1', port: metricsPort });
metrics.setGlobalMeterProvider(new MeterProvider({ readers: [exporter] }));
