import { createHmac, timingSafeEqual } from 'node:crypto';

/** With what Koa signs cookies and checks their signatures. */
export interface CookieKeys {
  sign(data: string): string;
  /** Returns the place of the key that has signed this; -1 if none has. */
  index(data: string, signature: string): number;
  verify(data: string, signature: string): boolean;
}

/**
 * Signs as Koa does with a list of secrets, the first of them. Koa compares each signature by two further HMACs, which Node is slow to
 * start.
 */
export function cookieKeys(secrets: readonly string[]): CookieKeys {
  const [first] = secrets;
  if (first === undefined) throw new Error('there is no secret to sign cookies with');
  const sign = (data: string, secret = first): string => createHmac('sha1', secret).update(data).digest('base64url');
  const index = (data: string, signature: string): number => {
    const given = Buffer.from(signature);
    return secrets.findIndex((secret) => {
      const own = Buffer.from(sign(data, secret));
      return own.length === given.length && timingSafeEqual(own, given);
    });
  };
  return { sign: (data) => sign(data), index, verify: (data, signature) => index(data, signature) >= 0 };
}
