import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import * as z from 'zod';
import type { CampusKeys, CheckedKeys, SigningKeys, SiteKeys } from './keys.ts';
import { type Rs256Jwk, signingJwk, type SigningJwk } from './signing-jwk.ts';
import { func, group, list, type Shape, refuse, repeated } from '../../kernel/option-schemas.ts';
import { boundedCache } from '../../kernel/bounded-cache.ts';
import { digest } from '../../kernel/crypto.ts';
import { materialProblem } from './public-keys.ts';

const secret = z
  .string('be a secret of at least 16 characters')
  .min(16)
  .meta({ type: 'string of at least 16 characters' });

const secretsDemand = 'be an array with at least one secret';

const signingShape = {
  signing: list(signingJwk, 'be an array of private ES256 keys, and optionally RS256 keys'),
  published: list(signingJwk, 'be an array of ES256 or RS256 keys').prefault([]),
} satisfies Shape<SiteKeys>;

export const siteKeysSchema: z.ZodType<SigningKeys> = group(signingShape).check(checkPairs);

export const keysSchema: z.ZodType<CheckedKeys> = group({
  ...signingShape,
  cookies: list(secret, secretsDemand).refine((secrets) => secrets.length > 0, secretsDemand),
} satisfies Shape<CampusKeys>).check(checkPairs);

export const keysOptionSchema: z.ZodType<CheckedKeys | (() => CampusKeys)> = z.union([
  func<() => CampusKeys>(),
  keysSchema,
]);

function checkPairs(payload: z.core.ParsePayload<SigningKeys>): void {
  const { signing, published } = payload.value;
  const twice = repeated<readonly PropertyKey[]>([
    ...signing.map(({ kid }, i) => [['signing', i, 'kid'], kid] as const),
    ...published.map(({ kid }, i) => [['published', i, 'kid'], kid] as const),
  ]);
  if (twice) refuse(payload, ...twice);
  for (const name of ['signing', 'published'] as const) {
    payload.value[name].forEach((key, i) => {
      const demand = demandOf(key, name === 'signing');
      if (demand !== undefined) refuse(payload, [name, i], demand);
    });
  }
  if (signing.length + published.length === 0) refuse(payload, ['signing'], 'have a key, or keys.published must');
  // Every client can verify ES256, which the specification names; RS256 is for the applications that say so.
  if (signing.length > 0 && !signing.some(({ alg }) => alg === 'ES256'))
    refuse(payload, ['signing'], 'have an ES256 key in addition to the RS256 keys');
}

/** What a key must be that it is not. */
function demandOf(key: SigningJwk, isPrivate: boolean): string | undefined {
  const problem = key.kty === 'RSA' ? materialProblem({ kty: key.kty, n: key.n, e: key.e }) : undefined;
  if (problem !== undefined) return `be another key: it ${problem}`;
  if (!isPrivate || isPrivateKey(key)) return undefined;
  return key.kty === 'RSA'
    ? 'be a private key: a JSON Web Key with "d", "p", "q", "dp", "dq" and "qi" that belong to its "n"'
    : 'be a private key: a JSON Web Key whose "d" belongs to its "x" and "y"';
}

function isPrivateKey(key: SigningJwk): boolean {
  if (key.d === undefined) return false;
  try {
    const made = createPrivateKey({ key: Object.fromEntries(Object.entries(key)), format: 'jwk' });
    return key.kty === 'EC' ? made.asymmetricKeyType === 'ec' : isRsaPair(key, made);
  } catch {
    return false;
  }
}

/** By digest, the RSA keys that were found right: functions of the host return theirs every ten seconds. */
const rightKeys = boundedCache<true>(1000);

/** Node takes the numbers of an RSA key as they are, so that keys of two pairs show only where one signs and the other verifies. */
function isRsaPair(key: Rs256Jwk, privateKey: KeyObject): boolean {
  const name = digest(JSON.stringify(key));
  if (rightKeys.get(name)) return true;
  const publicKey = createPublicKey({ key: { kty: key.kty, n: key.n, e: key.e }, format: 'jwk' });
  const sample = Buffer.from(key.kid);
  const isPair = verify('sha256', sample, publicKey, sign('sha256', sample, privateKey));
  if (isPair) rightKeys.set(name, true);
  return isPair;
}
