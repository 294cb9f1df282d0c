import type { Context } from 'koa';
import type { Adapter, Configuration, errors, KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { PlatformSession, Site } from '../host/school-platform.ts';
import type { Form } from '../http/body.ts';
import type { ClientMetadata } from '../records/codec.ts';
import type { AddedStep } from './authorization-step.ts';

/** Takes an error of the engine in a request. */
export type EngineListener = (ctx: KoaContextWithOIDC, error: errors.OIDCProviderError) => void;

/** An endpoint to which an app posts an authorization request. */
export interface StartEndpoint {
  readonly path: string;
  /** The body to send in place of the engine's. */
  readonly complete: (body: object) => object;
}

/** What a form says to prove who its client is, before that is verified. */
export interface ClientProof {
  readonly clientId: string | undefined;
  /** The key that it names. */
  readonly kid: string | undefined;
  /** Whom it says that it is for: anything. */
  readonly audience: unknown;
}

/** How clients prove who they are, if not with a secret. */
export interface ProofMethod {
  /** `undefined` for a form without one. @throws InvalidClient for text that no store takes */
  readonly read: (form: Form) => ClientProof | undefined;
  /** Called before a proof is verified. @throws OAuthError `slow_down` for a caller of whom too many have failed */
  readonly check: (ctx: Context, site: Site, proof: ClientProof) => void;
  /** Counts one that does not prove who the client is. */
  readonly countFailure: (ctx: Context, site: Site, proof: ClientProof) => void;
  /** Whether an error says that a proof is for somebody else: then the event has its audience. */
  readonly isForAnother: (error: errors.OIDCProviderError) => boolean;
  /** Called when a proof is verified, and when the engine is done with its request, however that ended. The second time nothing happens. */
  readonly finished: (proof: ClientProof) => void;
  /**
   * The client with the one key with which this proof can be verified, and with none if the proof is not its own.
   *
   * @throws OAuthError `slow_down` as `check` does
   */
  readonly verifiable: (
    ctx: Context,
    site: Site,
    client: ClientMetadata,
    proof: ClientProof | undefined,
  ) => Promise<ClientMetadata>;
}

/** The request that an error text is for. */
export interface TextRequest {
  readonly site: Site;
  readonly form: Form;
  /** Which client it says it comes from, and what is to prove it. */
  readonly sender: { readonly proof: ClientProof | undefined };
}

/** A request for tokens that the engine has answered, while nothing is written yet. */
export interface AnsweredTokenRequest {
  readonly ctx: Context;
  readonly site: Site;
  /** Which client it says it comes from; the engine has authenticated it if it has issued tokens. */
  readonly clientId: string | undefined;
  readonly status: number;
  /** The code of an error. */
  readonly error: string | undefined;
}

/** The request in which a code is issued. */
export interface CodeRequest {
  readonly site: Site;
  client(clientId: string): Promise<ClientMetadata | undefined>;
  signedIn(): Promise<PlatformSession | undefined>;
}

type AddedConfiguration = Pick<
  Configuration,
  'routes' | 'features' | 'enabledJWA' | 'assertJwtClientAuthClaimsAndHeader'
>;

/** What a feature that is on adds to the engine. */
export interface EngineFeature {
  readonly configuration: AddedConfiguration & { readonly ttl?: Configuration['ttl'] & object };
  /** Methods that replace those of the engine's storage, by the engine's name of the kind: what the feature stores differently. */
  readonly storage?: Readonly<Record<string, Partial<Adapter>>>;
  /** What the record of a code has beside what the engine writes: members that the engine reads. */
  readonly codeMembers?: (request: CodeRequest, clientId: string) => Promise<Readonly<Record<string, string>>>;
  readonly starts?: readonly StartEndpoint[];
  /** Its steps in an authorization request, each for a parameter that it adds. */
  readonly steps?: readonly AddedStep[];
  /** In place of the engine's texts, at the endpoints to which clients post. */
  readonly texts?: Readonly<Record<string, string>>;
  /** The same for a text that depends on the request. */
  readonly textFor?: (engineText: string, request: TextRequest) => string | undefined;
  readonly proof?: ProofMethod;
  /** Called before the engine's response to a request for tokens is completed. @throws OAuthError so that nothing is issued */
  readonly answered?: (request: AnsweredTokenRequest) => Promise<void>;
  /** Called with the engine of each site: passes on errors of its endpoints, and registers a grant type that the engine does not have. */
  readonly prepare?: (
    provider: Provider,
    on: { readonly clarify: EngineListener; readonly refused: EngineListener },
  ) => void;
}
