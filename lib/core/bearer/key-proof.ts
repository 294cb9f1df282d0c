import type { Site } from '../../host/school-platform.ts';
import type { ResponseHeaders } from '../../http/plain-response.ts';
import { InvalidToken, OAuthError, type OAuthErrorOptions } from '../../kernel/errors.ts';

/** A call with an access token that is bound to a key, and the proof that its sender has that key. RFC 9449. */
export interface ProvenCall {
  /** The value of the header `DPoP`. */
  readonly proof: string;
  /** The method of the request. */
  readonly method: string;
  /** The address to which the client has sent the request: origin and path. */
  readonly address: string;
}

/** Verifies that the senders of bound tokens have their keys. */
export interface ProofVerifier {
  /** How proofs can be signed. */
  readonly algorithms: readonly string[];
  /**
   * Resolves once it is noted that the proof was used, to headers for the response.
   *
   * @param jkt - the thumbprint of the key to which the token is bound
   * @throws InvalidToken for the proof of another key, InvalidDpopProof, UseDpopNonce
   */
  readonly prove: (site: Site, token: string, jkt: string, call: ProvenCall) => Promise<ResponseHeaders>;
}

/** How the senders of tokens prove that they have a key. */
export interface KeyProofs {
  /** Absent if bound tokens are refused. */
  readonly dpop?: ProofVerifier | undefined;
}

export const noKeyProofs: KeyProofs = {};

/**
 * `invalid_dpop_proof`: a proof is missing where it is needed, or does not prove this request. Status 401 at protected resources, and 400 at
 * the token endpoint. RFC 9449 sections 5 and 7.1.
 */
export class InvalidDpopProof extends OAuthError {
  override readonly name = 'InvalidDpopProof';
  constructor(description: string, options?: OAuthErrorOptions) {
    super('invalid_dpop_proof', description, { status: 401, ...options });
  }
}

/** `use_dpop_nonce`, status 401: send the same request again, with the nonce in the header `DPoP-Nonce`. RFC 9449 sections 8 and 9. */
export class UseDpopNonce extends OAuthError {
  override readonly name = 'UseDpopNonce';
  constructor(description: string, options?: OAuthErrorOptions) {
    super('use_dpop_nonce', description, { status: 401, ...options });
  }
}

/** A token that must come with a proof of its key came without one. RFC 9449 section 7.2. */
export class BoundToken extends InvalidToken {}

/** Whether the sender of a token can do something about it with a proof. */
export function needsProof(error: OAuthError): boolean {
  return error instanceof BoundToken || error instanceof InvalidDpopProof || error instanceof UseDpopNonce;
}
