import { isObject } from '../kernel/validate.ts';
import { isBoolean, isEmail, isText, isWebAddress } from './claim-values.ts';

/** What a claim must be. */
interface ClaimType {
  readonly isValid: (value: unknown) => boolean;
  /** Words that follow "must". */
  readonly rule: string;
}

const isList = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isDate = (value: unknown): boolean =>
  isText(value) && /^\d{4}(?:-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))?$/.test(value);
/** Larger values are milliseconds. */
const isTime = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value < 100_000_000_000;
const isLocale = (value: unknown): boolean => isText(value) && /^[a-z]{2,8}(?:[-_][a-z0-9]{1,8})*$/i.test(value);
const isTimeZone = (value: unknown): boolean => isText(value) && /^[a-z][\w+-]*(?:\/[\w+-]+)*$/i.test(value);
const isPostal = (value: unknown): boolean => isObject(value) && Object.values(value).every(isText);

const text: ClaimType = { isValid: isText, rule: 'be a string' };
const flag: ClaimType = { isValid: isBoolean, rule: 'be true or false' };
const url: ClaimType = { isValid: isWebAddress, rule: 'be an https: or http: address' };

/** The claims of OpenID Connect Core section 5.1, by the scope that releases them (section 5.4), and `groups`. */
const claimTypes = {
  profile: {
    name: text,
    given_name: text,
    family_name: text,
    middle_name: text,
    nickname: text,
    preferred_username: text,
    profile: url,
    picture: url,
    website: url,
    gender: text,
    birthdate: { isValid: isDate, rule: 'be a date as YYYY-MM-DD, or a year' },
    zoneinfo: { isValid: isTimeZone, rule: 'be a time zone such as "Asia/Taipei"' },
    locale: { isValid: isLocale, rule: 'be a language tag such as "zh-TW"' },
    updated_at: { isValid: isTime, rule: 'be a number of seconds since the epoch' },
    groups: { isValid: isList, rule: 'be an array of strings' },
  },
  email: { email: { isValid: isEmail, rule: 'be an e-mail address' }, email_verified: flag },
  phone: { phone_number: text, phone_number_verified: flag },
  address: { address: { isValid: isPostal, rule: 'be an object of strings, such as { formatted, country }' } },
} as const satisfies Readonly<Record<string, Readonly<Record<string, ClaimType>>>>;

/** A claim that `claims` may return under the name that OpenID Connect gives it. */
export interface StandardClaim extends ClaimType {
  readonly name: string;
  readonly scope: string;
}

const rows: readonly StandardClaim[] = Object.entries(claimTypes).flatMap(([scope, types]) =>
  Object.entries<ClaimType>(types).map(([name, type]) => ({ name, scope, ...type })),
);
const byName = new Map(rows.map((row) => [row.name, row]));

/** @returns `undefined` for any other name */
export function standardClaim(name: string): StandardClaim | undefined {
  return byName.get(name);
}

/** Those that a campus with these scopes can return. `phone` and `address` are scopes that a platform has to declare. */
export function standardClaimsOf(scopes: readonly string[]): readonly string[] {
  return rows.filter((claim) => isReleased(claim, scopes)).map(({ name }) => name);
}

/**
 * Whether the consent page needs a text of the host to tell of a claim. It tells of name, picture and address itself, and a scope of the
 * platform has its own text.
 */
export function isToldAlone(name: string): boolean {
  const claim = byName.get(name);
  return claim?.scope === 'profile' && !['name', 'picture'].includes(name);
}

/** A platform can call the scope `phone`, as OpenID Connect does, or by the name of the claim. */
export function isReleased({ scope }: StandardClaim, scopes: readonly string[]): boolean {
  return scopes.includes(scope) || (scope === 'phone' && scopes.includes('phone_number'));
}
