import { context, createContextKey, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { RequestOutcome, Telemetry } from '../../lib/contracts/telemetry.ts';
import { OAuthError } from '../../lib/protocol/errors.ts';
import { readOptions } from '../../lib/protocol/validate.ts';
import { attribute, boundedError, boundedMethod, boundedReason } from './attributes.ts';
import { instrumentsOf } from './metrics.ts';
import { type OpenTelemetryOptions, openTelemetrySchema } from './options.ts';

export type { OpenTelemetryOptions } from './options.ts';

const scope = 'campus-oidc';

/** The span of the current request. The active span may be one of the host. */
const requestSpan = createContextKey('campus-oidc request');

const spanKinds = { store: SpanKind.CLIENT, platform: SpanKind.INTERNAL, document: SpanKind.CLIENT };

/**
 * Traces and metrics through `@opentelemetry/api`: the option `telemetry` of `createCampus`. Nothing is recorded unless the host
 * has an SDK. `docs/observability.md` lists all spans, metrics and attributes; none holds a credential, a member or an address.
 *
 * @throws TypeError that names a wrong option
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): Telemetry {
  const { tracerProvider = trace, meterProvider } = readOptions(openTelemetrySchema, options, '');
  const tracer = tracerProvider.getTracer(scope);
  const instruments = instrumentsOf(scope, meterProvider);
  return {
    async request({ method: sent, route, scheme, siteId, started }, handle) {
      const parent = context.active();
      const method = boundedMethod(sent);
      const shared = { [attribute.method]: method, [attribute.route]: route, [attribute.scheme]: scheme };
      const span = tracer.startSpan(
        `${method === sent ? method : 'HTTP'} ${route}`,
        {
          kind: trace.getSpan(parent) ? SpanKind.INTERNAL : SpanKind.SERVER,
          startTime: started,
          attributes: siteId === undefined ? shared : { ...shared, [attribute.site]: siteId },
        },
        parent,
      );
      const end = (outcome: RequestOutcome): void => {
        const found = outcomeAttributes(outcome);
        span.setAttributes(found);
        if (outcome.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
        const { requests, quotas } = instruments();
        requests.record((performance.now() - started) / 1000, { ...shared, ...found });
        if (outcome.error === 'slow_down') quotas.add(1, { [attribute.route]: route });
      };
      return context.with(trace.setSpan(parent, span).setValue(requestSpan, span), async () => {
        try {
          end(await handle());
        } catch (error) {
          end({ status: 500, error: undefined });
          throw error;
        }
      });
    },

    async call({ to, operation }, make) {
      const parent = context.active();
      const started = performance.now();
      const attributes = { [attribute.operation]: operation };
      const span = tracer.startSpan(`${to}.${operation}`, { kind: spanKinds[to], attributes }, parent);
      const end = (failure?: string): void => {
        if (failure !== undefined)
          span.setAttribute(attribute.error, failure).setStatus({ code: SpanStatusCode.ERROR });
        span.end();
        const seconds = (performance.now() - started) / 1000;
        instruments().calls[to].record(
          seconds,
          failure === undefined ? attributes : { ...attributes, [attribute.error]: failure },
        );
      };
      try {
        const result = await context.with(trace.setSpan(parent, span), make);
        end();
        return result;
      } catch (error) {
        // The message and the stack stay out: they can contain anything. Faults have them.
        end(boundedError(error instanceof OAuthError ? error.error : ''));
        throw error;
      }
    },

    client(clientId) {
      const span = context.active().getValue(requestSpan);
      if (isSpan(span)) span.setAttribute(attribute.client, clientId);
    },

    tokens({ count, grantType, reason }) {
      const { tokens, races } = instruments();
      const redeemed = grantType === undefined ? {} : { [attribute.grantType]: grantType };
      tokens[count].add(
        1,
        reason === undefined ? redeemed : { ...redeemed, [attribute.reason]: boundedReason(reason) },
      );
      if (reason === 'lost_race') races.add(1, redeemed);
    },

    engines(change) {
      instruments().engines.add(change);
    },
  };
}

function outcomeAttributes({ status, error }: RequestOutcome): Record<string, string | number> {
  const refused = error !== undefined || status >= 400;
  const failure = error === undefined ? (status >= 500 ? String(status) : undefined) : boundedError(error);
  return {
    [attribute.status]: status,
    [attribute.outcome]: status >= 500 ? 'failed' : refused ? 'refused' : 'ok',
    ...(failure !== undefined && { [attribute.error]: failure }),
  };
}

function isSpan(value: unknown): value is Span {
  return typeof value === 'object' && value !== null && 'setAttribute' in value;
}
