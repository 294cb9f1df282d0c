import { verify } from 'node:crypto';
import { InvalidDpopProof, type ProvenCall } from '../../core/bearer/key-proof.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import { digest } from '../../kernel/crypto.ts';
import { type JsonMembers, parseObject } from '../../kernel/json.ts';
import { type ProofAlgorithm, proofAlgorithms, type ProofKey, proofKey } from './proof-key.ts';

/** A proof, the key in its header, and what it says. Its signature is not verified yet. */
export interface ReadProof {
  /** The thumbprint of its key. */
  readonly jkt: string;
  readonly jti: string;
  /** In seconds since the epoch. */
  readonly iat: number;
  readonly nonce: string | undefined;
  /** @throws InvalidDpopProof */
  readonly verifySignature: () => void;
}

/** What distinguishes a proof from every other one. */
export type ProofId = Pick<ReadProof, 'jkt' | 'jti' | 'nonce'>;

/** A header with an RSA key would fit; one with a key on a curve takes 250 characters. */
const form = /^([\w-]{40,2000})\.([\w-]{40,2000})\.([\w-]{86})$/;

const maxId = 256;
const maxAddress = 2048;

/**
 * The same of a proof that the engine has verified. Its text would not do: the last character of a signature has bits that nobody reads, so one
 * proof can be written in several ways.
 */
export function idOfVerified(proof: string): ProofId {
  const [head = '', claims = ''] = proof.split('.', 2);
  const { alg, jwk } = decoded(head);
  const { jti, nonce } = decoded(claims);
  const [id, own] = [jti, nonce].map((value) => (typeof value === 'string' ? value : undefined));
  return { jkt: proofKey(algorithmOf(alg), jwk).thumbprint, jti: id ?? '', nonce: own };
}

/** Checks all but age, one use and signature: what costs little. RFC 9449 section 4.3. @throws InvalidDpopProof */
export function readProof({ proof, method, address }: ProvenCall, token: string): ReadProof {
  const [, head, claims, signature] = form.exec(proof) ?? [];
  if (head === undefined || claims === undefined || signature === undefined)
    throw new InvalidDpopProof('the DPoP header must be one JWT, signed with ES256 or Ed25519');
  const { alg, key } = readHeader(decoded(head));
  const { jti, iat, nonce } = readClaims(decoded(claims), { method, address, token });
  return {
    jkt: key.thumbprint,
    jti,
    iat,
    nonce,
    verifySignature: () => {
      const hash = alg === 'ES256' ? 'sha256' : null;
      const options = { key: key.object(), dsaEncoding: 'ieee-p1363' } as const;
      if (!verify(hash, Buffer.from(`${head}.${claims}`), options, Buffer.from(signature, 'base64url')))
        throw new InvalidDpopProof('the DPoP proof is not signed with the key in its header');
    },
  };
}

function readHeader({ typ, alg, crit, jwk }: JsonMembers): { readonly alg: ProofAlgorithm; readonly key: ProofKey } {
  if (typ !== 'dpop+jwt') throw new InvalidDpopProof('typ of the DPoP proof must be dpop+jwt');
  if (crit !== undefined) throw new InvalidDpopProof('the DPoP proof must not have crit');
  const known = algorithmOf(alg);
  return { alg: known, key: proofKey(known, jwk) };
}

function algorithmOf(alg: unknown): ProofAlgorithm {
  const known = proofAlgorithms.find((each) => each === alg);
  if (known === undefined) throw new InvalidDpopProof(`alg of the DPoP proof must be ${proofAlgorithms.join(' or ')}`);
  return known;
}

function readClaims(
  { htm, htu, iat, jti, ath, nonce, exp, nbf }: JsonMembers,
  { method, address, token }: Omit<ProvenCall, 'proof'> & { readonly token: string },
): Pick<ReadProof, 'jti' | 'iat' | 'nonce'> {
  if (typeof jti !== 'string' || jti === '' || jti.length > maxId)
    throw new InvalidDpopProof(`jti of the DPoP proof must be text, new each time, of at most ${maxId} characters`);
  if (typeof iat !== 'number') throw new InvalidDpopProof('iat of the DPoP proof must be a number');
  if (nonce !== undefined && typeof nonce !== 'string')
    throw new InvalidDpopProof('nonce of the DPoP proof must be a string');
  const now = epochSeconds();
  if ((typeof exp === 'number' && exp <= now) || (typeof nbf === 'number' && nbf > now))
    throw new InvalidDpopProof('the DPoP proof has expired, or is not valid yet; check the clock');
  if (htm !== method) throw new InvalidDpopProof(`htm of the DPoP proof must be ${method}`);
  if (typeof htu !== 'string' || !isSameAddress(htu, address))
    throw new InvalidDpopProof(`htu of the DPoP proof must be ${address}`);
  if (ath !== digest(token))
    throw new InvalidDpopProof('ath of the DPoP proof must be the SHA-256 of the access token in base64url');
  return { jti, iat, nonce };
}

function decoded(part: string): JsonMembers {
  return parseObject(Buffer.from(part, 'base64url').toString());
}

function isSameAddress(htu: string, address: string): boolean {
  const sent = normalized(htu);
  return sent !== undefined && sent === normalized(address);
}

/** Without query, fragment and escapes of characters that do not need one. RFC 3986 sections 6.2.2 and 6.2.3. */
function normalized(address: string): string | undefined {
  const url = address.length > maxAddress ? null : URL.parse(address);
  if (!url || url.username !== '' || url.password !== '') return undefined;
  const path = url.pathname.replace(/%[\da-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
  });
  return url.origin + path;
}
