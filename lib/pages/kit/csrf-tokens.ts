import { createHmac, randomBytes } from 'node:crypto';
import { epochSeconds } from '../../runtime/timeout.ts';
import { sameText } from '../../runtime/crypto.ts';
import { type KeyRing, siteSecret } from '../../protocol/keys.ts';

const lifetimeSeconds = 12 * 60 * 60;

/** A token is valid only for the form and the member that it was issued for. */
export interface CsrfBinding {
  readonly siteId: string;
  /** The page's path, or what identifies the interaction. */
  readonly form: string;
  readonly memberId: string;
}

export interface CsrfTokens {
  /** Each token is different, so that it also identifies one rendering of the form. */
  issue(binding: CsrfBinding): string;
  verify(binding: CsrfBinding, token: string | undefined): boolean;
}

/** The first cookie secret signs, all verify: secrets can be rotated while forms are open. */
export function createCsrfTokens(keys: Pick<KeyRing, 'shared'>): CsrfTokens {
  return {
    issue(binding) {
      const payload = `${epochSeconds() + lifetimeSeconds}.${randomBytes(9).toString('base64url')}`;
      return `${payload}.${sign(keys.shared().cookies[0] ?? '', binding, payload)}`;
    },
    verify(binding, token = '') {
      const [expiresAt = '', nonce = '', signature = ''] = token.split('.');
      const payload = `${expiresAt}.${nonce}`;
      const signed = keys.shared().cookies.some((secret) => sameText(signature, sign(secret, binding, payload)));
      return signed && Number(expiresAt) > epochSeconds();
    },
  };
}

function sign(secret: string, { siteId, form, memberId }: CsrfBinding, payload: string): string {
  return createHmac('sha256', siteSecret(secret, siteId, 'form'))
    .update(JSON.stringify([form, memberId, payload]))
    .digest('base64url');
}
