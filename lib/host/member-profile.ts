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

/** What each may be. OpenID Connect Core section 5.1. */
const rules = [
  ['name', isText, 'be a string'],
  ['picture', isWebAddress, 'be the http: or https: address of an image'],
  ['email', isEmail, 'be an e-mail address'],
  ['emailVerified', isBoolean, 'be true or false'],
] as const;

/** What `profileOf` leaves out although there is something. Runs for every token. */
export function wrongMembers(member: Member): WrongMember[] {
  const wrong = rules.filter(([name, isValid]) => !isValid(member[name]) && !isMissing(member[name]));
  return wrong.map(([name, , rule]) => ({
    name,
    error: wrongReturn(`platform.findMember(${brief(member.id)})`, name, member[name], `${rule}, or undefined`),
  }));
}
