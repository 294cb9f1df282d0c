import { isBlank } from '../kernel/invisible.ts';

/** `null` and a text that shows nothing mean the same as no value: OpenID Connect Core section 5.3.2 leaves such claims out. */
export function isMissing(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && isBlank(value));
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && !isBlank(value);
}

export function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

export function isWebAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\/[^\s/]/i.test(value);
}

/** The rest of RFC 5322 is for what sends mail. */
export function isEmail(value: unknown): value is string {
  return typeof value === 'string' && /.@./.test(value) && !/\p{Cc}/u.test(value);
}
