import type { Adapter, Configuration, errors, KoaContextWithOIDC, Provider } from 'oidc-provider';

/** Takes an error of the engine in a request. */
export type EngineListener = (ctx: KoaContextWithOIDC, error: errors.OIDCProviderError) => void;

/** An endpoint to which a program posts an authorization request. */
export interface StartEndpoint {
  readonly path: string;
  /** The body to send in place of the engine's. */
  readonly complete: (body: object) => object;
}

/** What a feature that is on adds to the engine. */
export interface EngineFeature {
  readonly configuration: Pick<Configuration, 'routes' | 'features'> & { readonly ttl?: Configuration['ttl'] & object };
  /** Storage by the engine's name of a kind, in place of that of the records: for what the feature does differently. */
  readonly storage?: Readonly<Record<string, Partial<Adapter>>>;
  readonly starts?: readonly StartEndpoint[];
  /** Passes on the errors of its endpoints. */
  readonly observe?: (
    provider: Provider,
    on: { readonly clarify: EngineListener; readonly refused: EngineListener },
  ) => void;
}
