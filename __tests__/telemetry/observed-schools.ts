import { context, type Tracer } from '@opentelemetry/api';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { openTelemetry } from '../../adapters/opentelemetry/index.ts';
import { AsyncContextManager } from '../../examples/observability/context-manager.ts';
import type { Telemetry } from '../../lib/observe/telemetry.ts';
import { listen } from '../helpers/server.ts';

/** A sample of a metric, as Prometheus reads it. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A real SDK: metrics are read from its Prometheus exporter over HTTP. */
export interface Sdk {
  readonly telemetry: Telemetry;
  /** Makes the host's own spans. */
  readonly tracer: Tracer;
  /** The finished spans. */
  spans(): readonly ReadableSpan[];
  /** What Prometheus gets. */
  text(): Promise<string>;
  samples(): Promise<Sample[]>;
  close(): Promise<void>;
}

export async function startSdk(): Promise<Sdk> {
  context.setGlobalContextManager(new AsyncContextManager());
  const finished = new InMemorySpanExporter();
  const tracerProvider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: finished })] });
  const exporter = new PrometheusExporter({ preventServerStart: true });
  const meterProvider = new MeterProvider({ readers: [exporter] });
  const server = await listen(() => (req, res) => exporter.getMetricsRequestHandler(req, res));
  const text = async (): Promise<string> => (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
  return {
    telemetry: openTelemetry({ tracerProvider, meterProvider }),
    tracer: tracerProvider.getTracer('host'),
    spans: () => finished.getFinishedSpans(),
    text,
    samples: async () => samplesOf(await text()),
    close: async () => {
      context.disable();
      await server.close();
      await meterProvider.shutdown();
      await tracerProvider.shutdown();
    },
  };
}

/** The text format of Prometheus, without comments. */
function samplesOf(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    const { name, labels = '', value } = /^(?<name>\w+)(?:\{(?<labels>.*)\})? (?<value>\S+)/.exec(line)?.groups ?? {};
    if (name === undefined) return [];
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = '', of = '']) => [label, of]);
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });
}

/** The sum of the samples of a metric that have these labels. */
export function sumOf(samples: readonly Sample[], name: string, labels: Readonly<Record<string, string>> = {}): number {
  const wanted = samples.filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );
  return wanted.reduce((sum, { value }) => sum + value, 0);
}
