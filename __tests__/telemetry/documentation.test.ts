import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createNoopMeter, type Meter } from '@opentelemetry/api';
import { expect, test } from '@jest/globals';
import { openTelemetry } from '../../adapters/opentelemetry/index.ts';
import { documented } from './documented.ts';

/** A meter that notes which instruments are made. */
function notingMeter(made: string[][]): Meter {
  const meter = createNoopMeter();
  return {
    ...meter,
    createHistogram: (name, options) => {
      made.push([name, 'histogram', options?.unit ?? '']);
      return meter.createHistogram(name);
    },
    createCounter: (name, options) => {
      made.push([name, 'counter', options?.unit ?? '']);
      return meter.createCounter(name);
    },
    createUpDownCounter: (name, options) => {
      made.push([name, 'up-down counter', options?.unit ?? '']);
      return meter.createUpDownCounter(name);
    },
  };
}

function madeMetrics(): string[][] {
  const made: string[][] = [];
  openTelemetry({ meterProvider: { getMeter: () => notingMeter(made) } }).engines(1);
  return made;
}

test('docs/reference/metrics.md has each metric, and no other', () => {
  expect(new Set(documented('Metrics').keys())).toEqual(new Set(madeMetrics().map(([name]) => name)));
});

const label = (name: string): string => name.replaceAll('.', '_');

function dashboard(): string {
  return readFileSync(join(import.meta.dirname, '../../examples/observability/dashboard.json'), 'utf8');
}

test('the dashboard of the example asks for metrics that there are', () => {
  const asked = [...dashboard().matchAll(/\b(?:http_server|campus_oidc)_\w+(?=[[{])/g)].map(([name]) => name);
  const exported = madeMetrics().flatMap(([name = '', type]) => {
    const base = label(name);
    if (type === 'histogram') return ['_bucket', '_count', '_sum'].map((suffix) => base + suffix);
    return type === 'counter' ? [`${base}_total`] : [base];
  });
  expect(new Set(asked).size).toBeGreaterThan(8);
  expect(asked.filter((name) => !exported.includes(name))).toEqual([]);
});

test('the dashboard asks for labels that the metrics have', () => {
  const queries: string[] = JSON.parse(dashboard()).panels.flatMap((panel: { targets?: { expr: string }[] }) =>
    (panel.targets ?? []).map(({ expr }) => expr),
  );
  const known = [
    ...[...documented('Metrics').values()].flatMap((attributes) => attributes.map(label)),
    'le',
    'otel_scope_name',
  ];
  const asked = queries.flatMap((query) => [
    ...[...query.matchAll(/ by \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(', ')),
    ...[...query.matchAll(/(\w+)!?=/g)].map(([, name = '']) => name),
  ]);
  expect(queries.length).toBeGreaterThan(10);
  expect(new Set(asked).size).toBeGreaterThan(6);
  expect(asked.filter((name) => !known.includes(name))).toEqual([]);
});

test('a wrong option is named', () => {
  expect(() => openTelemetry({ meterProvider: Object({}) })).toThrow(
    'openTelemetry.meterProvider.getMeter must be a function',
  );
});
