import {
  type Counter,
  createNoopMeter,
  type Histogram,
  type Meter,
  metrics,
  type MeterProvider,
} from '@opentelemetry/api';
import { attribute } from './attributes.ts';

/** The instrumentation scope. */
export const scope = 'campus-oidc';

/** Seconds. The boundaries that OpenTelemetry's conventions give for requests. */
const forRequests = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const forCalls = [0.0005, 0.001, 0.0025, ...forRequests];

/** A metric, as the documentation lists it. */
interface Metric {
  readonly name: string;
  readonly type: 'histogram' | 'counter' | 'up-down counter';
  readonly unit: string;
  readonly description: string;
  readonly attributes: readonly string[];
}

const ofCalls = { type: 'histogram', unit: 's', attributes: [attribute.operation, attribute.error] } as const;
const ofTokens = [attribute.grantType, attribute.reason];

export const metricTable = {
  requests: {
    name: 'http.server.request.duration',
    type: 'histogram',
    unit: 's',
    description: 'Duration of requests for this service.',
    attributes: [
      attribute.method,
      attribute.route,
      attribute.scheme,
      attribute.status,
      attribute.error,
      attribute.outcome,
    ],
  },
  store: { ...ofCalls, name: 'campus_oidc.store.duration', description: 'Duration of calls of the store.' },
  platform: { ...ofCalls, name: 'campus_oidc.platform.duration', description: 'Duration of calls of the platform.' },
  document: {
    ...ofCalls,
    name: 'campus_oidc.document.duration',
    description: 'Duration of fetches of metadata documents. Failed ones have an error type.',
  },
  issued: {
    name: 'campus_oidc.tokens.issued',
    type: 'counter',
    unit: '{response}',
    description: 'Responses with tokens. With the reason "replayed" the first response was sent again.',
    attributes: ofTokens,
  },
  refused: {
    name: 'campus_oidc.tokens.refused',
    type: 'counter',
    unit: '{request}',
    description:
      'Refused requests to the token endpoint, by error code, "reused" or "lost_race". Codes and refresh tokens have a grant type.',
    attributes: ofTokens,
  },
  revoked: {
    name: 'campus_oidc.tokens.revoked',
    type: 'counter',
    unit: '{revocation}',
    description:
      'Token families and connections that ended, with the reason of the audit event token.revoked or connection.ended.',
    attributes: [attribute.reason],
  },
  races: {
    name: 'campus_oidc.races.lost',
    type: 'counter',
    unit: '{request}',
    description: 'Requests whose code or refresh token another request redeemed or revoked first.',
    attributes: [attribute.grantType],
  },
  quotas: {
    name: 'campus_oidc.quotas.exceeded',
    type: 'counter',
    unit: '{request}',
    description: 'Requests above a rate limit, which got 429 slow_down.',
    attributes: [attribute.route],
  },
  engines: {
    name: 'campus_oidc.engines',
    type: 'up-down counter',
    unit: '{engine}',
    description: 'Protocol engines in memory, one for each school that was used lately.',
    attributes: [],
  },
} as const satisfies Readonly<Record<string, Metric>>;

function createInstruments(meter: Meter) {
  const seconds = ({ name, ...options }: Metric, explicitBucketBoundaries: number[]): Histogram =>
    meter.createHistogram(name, { ...described(options), advice: { explicitBucketBoundaries } });
  const counter = ({ name, ...options }: Metric): Counter => meter.createCounter(name, described(options));
  const { requests, store, platform, document, issued, refused, revoked, races, quotas, engines } = metricTable;
  return {
    requests: seconds(requests, forRequests),
    calls: {
      store: seconds(store, forCalls),
      platform: seconds(platform, forCalls),
      document: seconds(document, forCalls),
    },
    tokens: { issued: counter(issued), refused: counter(refused), revoked: counter(revoked) },
    races: counter(races),
    quotas: counter(quotas),
    engines: meter.createUpDownCounter(engines.name, described(engines)),
  };
}

function described({ unit, description }: Pick<Metric, 'unit' | 'description'>) {
  return { unit, description };
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
