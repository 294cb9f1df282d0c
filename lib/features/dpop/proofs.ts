import { InvalidDpopProof, type ProofVerifier, UseDpopNonce } from '../../core/bearer/key-proof.ts';
import type { Core } from '../../core/core.ts';
import type { Site } from '../../host/school-platform.ts';
import type { ResponseHeaders } from '../../http/plain-response.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import { digest } from '../../kernel/crypto.ts';
import { InvalidToken } from '../../kernel/errors.ts';
import { Nonces, nonceSecret } from './nonces.ts';
import type { Dpop } from './options.ts';
import { proofAlgorithms } from './proof-key.ts';
import { idOfVerified, type ProofId, readProof } from './proof.ts';

/** Seconds by which `iat` of a proof without a nonce may differ from our clock, before and after. The engine has the same. */
const maxAge = 300;

/** By how much the clocks of processes, and that of the store, may differ. */
const skew = 60;

/** The proofs of one campus, at protected resources and at the token endpoint. */
export interface DpopProofs extends ProofVerifier {
  /** Notes the one use of a proof that the engine has verified. @throws InvalidDpopProof for the second */
  readonly useVerified: (site: Site, proof: string) => Promise<void>;
  /** Whether a response tells the newest nonce to the sender of this proof, which the engine has read. */
  readonly tellsNonce: (proof: string) => boolean;
  /** The secret of the nonces, as it is now. */
  readonly secret: () => Buffer;
}

export function dpopProofs({ nonces: need }: Dpop, { records, keys }: Pick<Core, 'records' | 'keys'>): DpopProofs {
  const isRequired = need === 'required';
  const cookieSecret = (): string => keys.shared().cookies[0] ?? '';
  let made: { readonly from: string; readonly nonces: Nonces } | undefined;
  const nonces = (): Nonces => {
    const from = cookieSecret();
    if (made?.from !== from) made = { from, nonces: new Nonces(nonceSecret(from)) };
    return made.nonces;
  };
  const nonceHeader = (): ResponseHeaders => ({ 'DPoP-Nonce': nonces().newest });

  function askForNonce(why: string): UseDpopNonce {
    const text = `${why}; send the request again with the nonce of the header DPoP-Nonce`;
    return new UseDpopNonce(text, { headers: nonceHeader() });
  }

  /** Until when a proof is valid, in seconds since the epoch. */
  function validUntil(iat: number, nonce: string | undefined): number {
    if (nonce !== undefined) {
      const until = nonces().validUntil(nonce);
      if (until === undefined) throw askForNonce('the nonce of the DPoP proof is unknown or too old');
      return until;
    }
    if (isRequired) throw askForNonce('the DPoP proof needs a nonce');
    const age = Math.round(epochSeconds() - iat);
    if (Math.abs(age) <= maxAge) return iat + maxAge;
    throw askForNonce(
      `the DPoP proof is ${Math.abs(age)} seconds ${age < 0 ? 'ahead' : 'old'} by the clock of this service`,
    );
  }

  /** For all processes: a counter is one step on every store, and needs no record. */
  async function use(site: Site, { jkt, jti }: ProofId, until: number, status: number): Promise<void> {
    const counter = { name: `dpop:${digest(JSON.stringify([jkt, jti]))}`, limit: 1 };
    const seconds = Math.max(1, Math.ceil(until - epochSeconds())) + skew;
    if ((await records.store.consumeQuota(site.id, [counter], seconds)) === undefined) return;
    const text = 'this DPoP proof was used before; make one for each request, with another jti';
    throw new InvalidDpopProof(text, { status });
  }

  /** To clients that send nonces, since their clock is wrong. A client that gets one must send it from then on. RFC 9449 section 11.3. */
  function tells(sent: string | undefined): boolean {
    return (isRequired || sent !== undefined) && sent !== nonces().newest;
  }

  return {
    algorithms: proofAlgorithms,
    async prove(site, token, jkt, call) {
      const proof = readProof(call, token);
      if (proof.jkt !== jkt)
        throw new InvalidToken('the DPoP proof must be of the key of this access token, not another');
      const until = validUntil(proof.iat, proof.nonce);
      proof.verifySignature();
      await use(site, proof, until, 401);
      return tells(proof.nonce) ? nonceHeader() : {};
    },
    useVerified: (site, proof) => use(site, idOfVerified(proof), epochSeconds() + 2 * maxAge, 400),
    tellsNonce: (proof) => tells(idOfVerified(proof).nonce),
    secret: () => nonceSecret(cookieSecret()),
  };
}
