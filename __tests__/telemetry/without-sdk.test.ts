import { metrics, trace } from '@opentelemetry/api';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterEach, expect, test } from '@jest/globals';
import { openTelemetry } from '../../adapters/opentelemetry/index.ts';
import type { Telemetry } from '../../lib/observe/telemetry.ts';
import { connect, memberApp, refresh, userinfo } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

let schools: Schools | undefined;
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  metrics.disable();
  trace.disable();
  await schools?.close();
  for (const end of ends.splice(0)) await end();
});

function meterProvider(): { readonly provider: MeterProvider; readonly exporter: PrometheusExporter } {
  const exporter = new PrometheusExporter({ preventServerStart: true });
  const provider = new MeterProvider({ readers: [exporter] });
  ends.push(() => provider.shutdown());
  return { provider, exporter };
}

function tracerProvider(): { readonly provider: TracerProvider; readonly finished: InMemorySpanExporter } {
  const finished = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: finished })] });
  ends.push(() => provider.shutdown());
  return { provider, finished };
}

test('what observes is asked nothing about requests and calls while it is off', async () => {
  const asked: string[] = [];
  const note = (name: string) => (): never => {
    asked.push(name);
    throw new Error(name);
  };
  const telemetry: Telemetry = {
    isOn: () => false,
    request: note('request'),
    call: note('call'),
    client: () => undefined,
    tokens: () => undefined,
    engines: () => undefined,
  };
  schools = await startSchools({ campus: { telemetry } });
  const { body } = await connect(schools.browser('sam'), schools.harbour, memberApp);
  const refreshed = await refresh(schools.harbour, memberApp, body['refresh_token']);
  expect([refreshed.status, (await userinfo(schools.harbour, refreshed.body['access_token'])).status]).toEqual([
    200, 200,
  ]);
  expect(asked).toEqual([]);
});

test('it is off without an SDK, and on as soon as there are metrics', () => {
  const telemetry = openTelemetry();
  expect(telemetry.isOn()).toBe(false);
  metrics.setGlobalMeterProvider(meterProvider().provider);
  expect(telemetry.isOn()).toBe(true);
});

test('it is on as soon as there are traces', async () => {
  const telemetry = openTelemetry();
  expect(telemetry.isOn()).toBe(false);
  const { provider, finished } = tracerProvider();
  trace.setGlobalTracerProvider(provider);
  expect(telemetry.isOn()).toBe(true);
  await telemetry.call({ to: 'store', operation: 'ping' }, async () => undefined);
  expect(finished.getFinishedSpans().map(({ name }) => name)).toEqual(['store.ping']);
});

test('it is on with providers that are passed in', () => {
  expect(openTelemetry({ meterProvider: meterProvider().provider }).isOn()).toBe(true);
  expect(openTelemetry({ tracerProvider: tracerProvider().provider }).isOn()).toBe(true);
});

test('engines that were made before there was an SDK are counted when there is one', async () => {
  const telemetry = openTelemetry();
  for (let i = 0; i < 3; i += 1) telemetry.engines(1);
  const { provider, exporter } = meterProvider();
  metrics.setGlobalMeterProvider(provider);
  telemetry.engines(-1);
  const { resourceMetrics } = await exporter.collect();
  const found = resourceMetrics.scopeMetrics.flatMap(({ metrics: all }) => all);
  expect(found.find(({ descriptor }) => descriptor.name === 'campus_oidc.engines')?.dataPoints).toMatchObject([
    { value: 2 },
  ]);
});
