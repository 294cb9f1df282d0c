import { brief, wrongReturn } from './check-returns.ts';
import { isBoolean, isEmail, isMissing, isText, isWebAddress } from './claim-values.ts';
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
  const address = isEmail(email) ? email : undefined;
  return {
    name: isText(name) ? name : undefined,
    picture: isWebAddress(picture) ? picture : undefined,
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
    ['name', name, isText(name), 'be a string'],
    ['picture', picture, isWebAddress(picture), 'be the http: or https: address of an image'],
    ['email', email, isEmail(email), 'be an e-mail address'],
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
