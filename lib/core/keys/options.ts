import { createPrivateKey } from 'node:crypto';
import * as z from 'zod';
import type { CampusKeys, CheckedKeys, Es256Jwk, SiteKeys } from './keys.ts';
import { func, group, list, type Shape, refuse, repeated, text } from '../../kernel/option-schemas.ts';

const coordinate = text('be a base64url string');

// Not strict: RFC 7517 section 4 has members that are not in use here be ignored.
const jwk = z
  .object(
    {
      kty: z.literal('EC'),
      crv: z.literal('P-256'),
      alg: z.literal('ES256'),
      use: z.literal('sig', 'be "sig" or absent').default('sig'),
      kid: text(),
      x: coordinate,
      y: coordinate,
      d: text('be a base64url string or absent').optional(),
    },
    'be a JSON Web Key',
  )
  .readonly()
  .meta({ type: 'ES256 JSON Web Key' });

const secret = z
  .string('be a secret of at least 16 characters')
  .min(16)
  .meta({ type: 'string of at least 16 characters' });

const secretsDemand = 'be an array with at least one secret';

const signingShape = {
  signing: list(jwk, 'be an array of private ES256 keys'),
  published: list(jwk, 'be an array of ES256 keys').prefault([]),
} satisfies Shape<SiteKeys>;

export const siteKeysSchema: z.ZodType<Omit<CheckedKeys, 'cookies'>> = group(signingShape).check(checkPairs);

export const keysSchema: z.ZodType<CheckedKeys> = group({
  ...signingShape,
  cookies: list(secret, secretsDemand).refine((secrets) => secrets.length > 0, secretsDemand),
} satisfies Shape<CampusKeys>).check(checkPairs);

export const keysOptionSchema: z.ZodType<CheckedKeys | (() => CampusKeys)> = z.union([
  func<() => CampusKeys>(),
  keysSchema,
]);

function checkPairs(payload: z.core.ParsePayload<Pick<CheckedKeys, 'signing' | 'published'>>): void {
  const { signing, published } = payload.value;
  const twice = repeated<readonly PropertyKey[]>([
    ...signing.map(({ kid }, i) => [['signing', i, 'kid'], kid] as const),
    ...published.map(({ kid }, i) => [['published', i, 'kid'], kid] as const),
  ]);
  if (twice) refuse(payload, ...twice);
  const demand = 'be a private key: a JSON Web Key whose "d" belongs to its "x" and "y"';
  signing.forEach((key, i) => {
    if (!isPrivateKey(key)) refuse(payload, ['signing', i], demand);
  });
  if (signing.length + published.length === 0) refuse(payload, ['signing'], 'have a key, or keys.published must');
}

function isPrivateKey({ d, ...key }: Es256Jwk): boolean {
  if (d === undefined) return false;
  try {
    return createPrivateKey({ key: { ...key, d }, format: 'jwk' }).asymmetricKeyType === 'ec';
  } catch {
    return false;
  }
}
