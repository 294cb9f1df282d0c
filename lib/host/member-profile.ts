import { isBlank } from '../kernel/invisible.ts';
import { brief, wrongReturn } from './check-returns.ts';
import type { Member } from './school-platform.ts';

/** What a platform may know of a member beside an id and roles. */
export interface MemberProfile {
  readonly name: string | undefined;
  readonly picture: string | undefined;
  readonly email: string | undefined;
  /** Absent without `email`. */
  readonly emailVerified: boolean | undefined;
}

/** What a platform has returned, which can be anything. */
type Returned = { readonly [K in keyof MemberProfile]?: unknown };

/** How a message names a wrong value. */
export interface WrongMember {
  readonly name: keyof MemberProfile;
  readonly error: TypeError;
}

/** Reads the profile without what is missing or wrong. */
export function profileOf({ name, picture, email, emailVerified }: Returned): MemberProfile {
  const address = isAddress(email) ? email : undefined;
  return {
    name: isName(name) ? name : undefined,
    picture: isPicture(picture) ? picture : undefined,
    email: address,
    emailVerified: address !== undefined && isBoolean(emailVerified) ? emailVerified : undefined,
  };
}

/** How people call a person: by the name, otherwise by the address or the id. */
export function personName(member: Member): string {
  const { name, email } = profileOf(member);
  return name ?? email ?? member.id;
}

/** What `profileOf` leaves out although there is something. OpenID Connect Core section 5.1. */
export function wrongMembers({ id, name, picture, email, emailVerified }: Member): WrongMember[] {
  const rows = [
    ['name', name, isName(name), 'be a string'],
    ['picture', picture, isPicture(picture), 'be the http: or https: address of an image'],
    ['email', email, isAddress(email), 'be an e-mail address'],
    ['emailVerified', emailVerified, isBoolean(emailVerified), 'be true or false'],
  ] as const;
  return rows.flatMap(([member, value, isValid, rule]) =>
    isValid || isMissing(value)
      ? []
      : [
          {
            name: member,
            error: wrongReturn(`platform.findMember(${brief(id)})`, member, value, `${rule}, or undefined`),
          },
        ],
  );
}

/** An empty value means the same as none: OpenID Connect Core section 5.3.2 leaves such claims out. */
function isMissing(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && isBlank(value));
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && !isBlank(value);
}

function isPicture(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\/[^\s/]/i.test(value);
}

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && /.@./.test(value) && !/\p{Cc}/u.test(value);
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}
