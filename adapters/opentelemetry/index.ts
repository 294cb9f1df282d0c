import { context, ProxyTracerProvider, trace, type TracerProvider } from '@opentelemetry/api';
import type { Telemetry } from '../../lib/observe/telemetry.ts';
import { readOptions } from '../../lib/kernel/validate.ts';
import { attribute, boundedClient, boundedReason } from './attributes.ts';
import { CurrentInstruments, scope } from './metrics.ts';
import { observeCall, observeRequest, spanOfRequest } from './observe.ts';
import { type OpenTelemetryOptions, openTelemetrySchema } from './options.ts';

export type { OpenTelemetryOptions } from './options.ts';

/**
 * Returns the option `telemetry` of `createCampus`, which records traces and metrics through `@opentelemetry/api`. It only records if your
 * platform has an SDK. `docs/reference/metrics.md` lists all spans, metrics and attributes. They never contain a credential, a member or an
 * address.
 *
 * @throws TypeError that names a wrong option
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): Telemetry {
  const { tracerProvider, meterProvider } = readOptions(openTelemetrySchema, options, 'openTelemetry');
  const instruments = new CurrentInstruments(meterProvider);
  const parts = { tracer: (tracerProvider ?? trace).getTracer(scope), instruments };
  const isTracing = tracingCheck(tracerProvider);
  return {
    isOn: () => instruments.get() !== undefined || isTracing(),
    request: (observed, handle) => observeRequest(parts, observed, handle),
    call: (observed, make) => observeCall(parts, observed, make),
    client(clientId) {
      const span = spanOfRequest(context.active());
      if (span?.isRecording()) span.setAttribute(attribute.client, boundedClient(clientId));
    },
    tokens({ count, grantType, reason, amount = 1 }) {
      const current = instruments.get();
      if (!current) return;
      const redeemed = grantType === undefined ? {} : { [attribute.grantType]: grantType };
      const why = reason === undefined ? {} : { [attribute.reason]: boundedReason(reason) };
      current.tokens[count].add(amount, { ...redeemed, ...why });
      if (reason === 'lost_race') current.races.add(1, redeemed);
    },
    engines: (change) => instruments.addEngines(change),
  };
}

/** Whether there is a tracer. The global provider is a proxy, of which hosts may register the real one later. */
function tracingCheck(given: TracerProvider | undefined): () => boolean {
  let isFound = given !== undefined;
  return () => {
    if (isFound) return true;
    const registered = trace.getTracerProvider();
    isFound = !(registered instanceof ProxyTracerProvider) || registered.getDelegateTracer(scope) !== undefined;
    return isFound;
  };
}
