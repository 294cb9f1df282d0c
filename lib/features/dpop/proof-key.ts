import { createPublicKey, type KeyObject } from 'node:crypto';
import { InvalidDpopProof } from '../../core/bearer/key-proof.ts';
import { boundedCache } from '../../kernel/bounded-cache.ts';
import { digest } from '../../kernel/crypto.ts';
import { type JsonMembers, objectOf } from '../../kernel/json.ts';

/** How proofs can be signed, in the order of the metadata: never with a secret, or not at all. */
export const proofAlgorithms = ['ES256', 'EdDSA', 'Ed25519'] as const;

export type ProofAlgorithm = (typeof proofAlgorithms)[number];

/** The public key in the header of a proof. */
export interface ProofKey {
  /** RFC 7638. */
  readonly thumbprint: string;
  /** @throws InvalidDpopProof for a point that is not on the curve */
  readonly object: () => KeyObject;
}

/** Keys that were used last: to make one takes as long as to verify with it. */
const objects = boundedCache<KeyObject>(5000);

const coordinate = /^[\w-]{43}$/;

/** @throws InvalidDpopProof */
export function proofKey(alg: ProofAlgorithm, jwk: unknown): ProofKey {
  const members = objectOf(jwk);
  if (hasPrivatePart(members))
    throw new InvalidDpopProof(
      'jwk of the DPoP proof must not have a private part, which is no longer secret; make another key',
    );
  const required = requiredMembers(alg, members);
  if (!required) throw new InvalidDpopProof('jwk of the DPoP proof must be a public key of its alg');
  const thumbprint = digest(JSON.stringify(required));
  return { thumbprint, object: () => keyObject(thumbprint, required) };
}

function hasPrivatePart({ d, p, q, dp, dq, qi, oth, k }: JsonMembers): boolean {
  return [d, p, q, dp, dq, qi, oth, k].some((member) => member !== undefined);
}

type RequiredMembers = Readonly<Record<'crv' | 'kty' | 'x', string> & { readonly y?: string }>;

/** In the order of RFC 7638 section 3.2. */
function requiredMembers(alg: ProofAlgorithm, { kty, crv, x, y }: JsonMembers): RequiredMembers | undefined {
  if (typeof x !== 'string' || !coordinate.test(x)) return undefined;
  if (alg !== 'ES256') return kty === 'OKP' && crv === 'Ed25519' && y === undefined ? { crv, kty, x } : undefined;
  const isPoint = kty === 'EC' && crv === 'P-256' && typeof y === 'string' && coordinate.test(y);
  return isPoint ? { crv, kty, x, y } : undefined;
}

function keyObject(thumbprint: string, jwk: RequiredMembers): KeyObject {
  const known = objects.get(thumbprint);
  if (known) return known;
  try {
    const made = createPublicKey({ key: { ...jwk }, format: 'jwk' });
    objects.set(thumbprint, made);
    return made;
  } catch (cause) {
    throw new InvalidDpopProof('jwk of the DPoP proof is not a key', { cause });
  }
}
