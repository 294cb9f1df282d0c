import { createHmac, randomBytes } from 'node:crypto';
import { epochSeconds } from '../../runtime/clock.ts';
import { sameText } from '../../runtime/crypto.ts';
import { type CheckedKeys, siteSecret } from '../../protocol/keys.ts';

/** Seconds that a form may be open. */
const life = 12 * 60 * 60;

/** What a form belongs to: a site, a page of it, and the person it was shown to. */
export interface FormOwner {
  readonly siteId: string;
  /** Which form it is; for an interaction, which one. */
  readonly form: string;
  readonly memberId: string;
}

/** Makes and checks the tokens of forms: good for one form of one person, for half a day. */
export interface FormTokens {
  /** A new one, different each time. */
  issue(owner: FormOwner): string;
  verify(owner: FormOwner, token: string | undefined): boolean;
}

/** Form tokens under the campus's secrets: the first signs, all verify. */
export function formTokens({ cookies }: Pick<CheckedKeys, 'cookies'>): FormTokens {
  return {
    issue(owner) {
      const head = `${epochSeconds() + life}.${randomBytes(9).toString('base64url')}`;
      return `${head}.${sign(cookies[0] ?? '', owner, head)}`;
    },
    verify(owner, token = '') {
      const [until = '', once = '', signature = ''] = token.split('.');
      const head = `${until}.${once}`;
      const signed = cookies.some((secret) => sameText(signature, sign(secret, owner, head)));
      return signed && Number(until) > epochSeconds();
    },
  };
}

function sign(secret: string, { siteId, form, memberId }: FormOwner, head: string): string {
  return createHmac('sha256', siteSecret(secret, siteId, 'form'))
    .update(JSON.stringify([form, memberId, head]))
    .digest('base64url');
}
