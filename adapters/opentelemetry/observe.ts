import {
  context,
  type Context,
  createContextKey,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import type { ObservedCall, ObservedRequest, RequestOutcome } from '../../lib/observe/telemetry.ts';
import { OAuthError } from '../../lib/kernel/errors.ts';
import { attribute, boundedError, boundedMethod } from './attributes.ts';
import type { CurrentInstruments } from './metrics.ts';

interface Parts {
  readonly tracer: Tracer;
  readonly instruments: CurrentInstruments;
}

/** The span of the current request. The active span may be one of the host. */
const requestSpan = createContextKey('campus-oidc request');

const spanKinds = { store: SpanKind.CLIENT, platform: SpanKind.INTERNAL, document: SpanKind.CLIENT };

export async function observeRequest(
  { tracer, instruments }: Parts,
  { method: sent, route, scheme, siteId, started }: ObservedRequest,
  handle: () => Promise<RequestOutcome>,
): Promise<void> {
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
    const current = instruments.get();
    current?.requests.record((performance.now() - started) / 1000, { ...shared, ...found });
    if (outcome.error === 'slow_down') current?.quotas.add(1, { [attribute.route]: route });
  };
  return context.with(trace.setSpan(parent, span).setValue(requestSpan, span), async () => {
    try {
      end(await handle());
    } catch (error) {
      end({ status: 500, error: undefined });
      throw error;
    }
  });
}

export async function observeCall<T>(
  { tracer, instruments }: Parts,
  { to, operation }: ObservedCall,
  make: () => Promise<T>,
): Promise<T> {
  const parent = context.active();
  const started = performance.now();
  const attributes = { [attribute.operation]: operation };
  const span = tracer.startSpan(`${to}.${operation}`, { kind: spanKinds[to], attributes }, parent);
  const end = (failure?: string): void => {
    if (failure !== undefined) span.setAttribute(attribute.error, failure).setStatus({ code: SpanStatusCode.ERROR });
    span.end();
    const found = failure === undefined ? attributes : { ...attributes, [attribute.error]: failure };
    instruments.get()?.calls[to].record((performance.now() - started) / 1000, found);
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
}

export function spanOfRequest(current: Context): Span | undefined {
  const span = current.getValue(requestSpan);
  return isSpan(span) ? span : undefined;
}

function isSpan(value: unknown): value is Span {
  return typeof value === 'object' && value !== null && 'setAttribute' in value;
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
