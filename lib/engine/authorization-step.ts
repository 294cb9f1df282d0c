import type { KoaContextWithOIDC } from 'oidc-provider';

/** Takes the parameter under which the engine calls it. */
export type ParameterCheck = (ctx: KoaContextWithOIDC, value: unknown) => void | Promise<void>;

/** A step of ours in an authorization request. */
export interface AuthorizationStep {
  readonly name: string;
  /** The parameter under which the engine calls it, which it accepts besides its own. One step each. */
  readonly parameter: string;
  /** @default the parameter is accepted as it is */
  readonly run?: ParameterCheck;
}

/** A step of a feature, for a parameter that the feature adds. */
export interface AddedStep extends AuthorizationStep {
  /** The most characters of the parameter. */
  readonly maxLength: number;
}
