import * as z from 'zod';
import { text } from '../../kernel/option-schemas.ts';

const base64url = text('be a base64url string');
const secretPart = text('be a base64url string or absent').optional();

const named = { use: z.literal('sig', 'be "sig" or absent').default('sig'), kid: text() };

// Not strict: RFC 7517 section 4 has members that are not in use here be ignored.
const es256Jwk = z
  .object({
    kty: z.literal('EC'),
    crv: z.literal('P-256'),
    alg: z.literal('ES256'),
    ...named,
    x: base64url,
    y: base64url,
    d: secretPart,
  })
  .readonly();

const rs256Jwk = z
  .object({
    kty: z.literal('RSA'),
    alg: z.literal('RS256'),
    ...named,
    n: base64url,
    e: base64url,
    d: secretPart,
    p: secretPart,
    q: secretPart,
    dp: secretPart,
    dq: secretPart,
    qi: secretPart,
  })
  .readonly();

export const signingJwk = z
  .discriminatedUnion('kty', [es256Jwk, rs256Jwk], {
    error: ({ input }) => (Object(input) === input ? 'be "EC" or "RSA"' : 'be a JSON Web Key'),
  })
  .meta({ type: 'ES256 or RS256 JSON Web Key' });

/** A key for ID tokens. */
export type SigningJwk = z.infer<typeof signingJwk>;

export type Rs256Jwk = z.infer<typeof rs256Jwk>;
