import {
  type Counter,
  createNoopMeter,
  type Histogram,
  type Meter,
  metrics,
  type MeterProvider,
} from '@opentelemetry/api';

/** The instrumentation scope. */
export const scope = 'campus-oidc';

/** Seconds. The boundaries that OpenTelemetry's conventions give for requests. */
const forRequests = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const forCalls = [0.0005, 0.001, 0.0025, ...forRequests];

function createInstruments(meter: Meter) {
  const seconds = (name: string, description: string, explicitBucketBoundaries: number[]): Histogram =>
    meter.createHistogram(name, { description, unit: 's', advice: { explicitBucketBoundaries } });
  const counter = (name: string, unit: string, description: string): Counter =>
    meter.createCounter(name, { description, unit });
  return {
    requests: seconds('http.server.request.duration', 'Duration of requests for this service.', forRequests),
    calls: {
      store: seconds('campus_oidc.store.duration', 'Duration of calls of the store.', forCalls),
      platform: seconds('campus_oidc.platform.duration', 'Duration of calls of the platform.', forCalls),
      document: seconds('campus_oidc.document.duration', 'Duration of fetches of metadata documents.', forCalls),
    },
    tokens: {
      issued: counter('campus_oidc.tokens.issued', '{response}', 'Responses with new tokens.'),
      refused: counter('campus_oidc.tokens.refused', '{request}', 'Refused codes and refresh tokens.'),
      revoked: counter('campus_oidc.tokens.revoked', '{revocation}', 'Revocations of token families and connections.'),
    },
    races: counter('campus_oidc.races.lost', '{request}', 'Requests whose code or token another one redeemed first.'),
    quotas: counter('campus_oidc.quotas.exceeded', '{request}', 'Requests above a limit.'),
    engines: meter.createUpDownCounter('campus_oidc.engines', { description: 'Engines in memory.', unit: '{engine}' }),
  };
}

type Instruments = ReturnType<typeof createInstruments>;

/** The instruments of the current provider: hosts may register theirs after they have created the campus. @internal */
export class CurrentInstruments {
  readonly #given: MeterProvider | undefined;
  #provider: MeterProvider | undefined;
  #instruments: Instruments | undefined;
  #engines = 0;

  constructor(given: MeterProvider | undefined) {
    this.#given = given;
  }

  /** `undefined` if nothing would be recorded. */
  get(): Instruments | undefined {
    const provider = this.#given ?? metrics.getMeterProvider();
    if (this.#provider !== provider) {
      this.#provider = provider;
      const meter = provider.getMeter(scope);
      this.#instruments = meter === createNoopMeter() ? undefined : createInstruments(meter);
      this.#instruments?.engines.add(this.#engines);
    }
    return this.#instruments;
  }

  /** Counts engines also while nothing is recorded, as they may go when something is. */
  addEngines(change: 1 | -1): void {
    this.get()?.engines.add(change);
    this.#engines += change;
  }
}
