import type { MeterProvider, TracerProvider } from '@opentelemetry/api';
import { group, instance, type Shape, methods } from '../../lib/kernel/option-schemas.ts';

/** Options of `openTelemetry`. */
export interface OpenTelemetryOptions {
  /** The provider that creates the spans. @default the provider that is registered with `@opentelemetry/api` */
  readonly tracerProvider?: TracerProvider | undefined;
  /** The provider that creates the metrics. @default the provider that is registered with `@opentelemetry/api` */
  readonly meterProvider?: MeterProvider | undefined;
}

/** @internal */
export const openTelemetrySchema = group({
  tracerProvider: instance<TracerProvider>(methods(['getTracer']), 'be a TracerProvider')
    .meta({ type: '`TracerProvider`' })
    .optional(),
  meterProvider: instance<MeterProvider>(methods(['getMeter']), 'be a MeterProvider')
    .meta({ type: '`MeterProvider`' })
    .optional(),
} satisfies Shape<OpenTelemetryOptions>);
