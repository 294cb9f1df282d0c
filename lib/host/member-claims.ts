import { profileOf } from './member-profile.ts';
import type { Member, Site } from './school-platform.ts';

/** The claims of each scope, in ID tokens and UserInfo responses. Specification: Tokens 3. */
export const claimsByScope = {
  openid: ['sub', 'org_id', 'roles'],
  profile: ['name', 'picture'],
  email: ['email', 'email_verified'],
} as const;

/** The name of a claim of the specification. */
export type Claim = (typeof claimsByScope)[keyof typeof claimsByScope][number];

/** JSON omits the claims that are `undefined`. */
export function memberClaims(site: Site, member: Member): Record<Claim, unknown> & { sub: string } {
  const { name, picture, email, emailVerified } = profileOf(member);
  return {
    sub: member.id,
    org_id: site.id,
    roles: [...member.roles],
    name,
    picture,
    email,
    email_verified: emailVerified,
  };
}

/** Whether these scopes tell who a person is. */
export function tellsNames(scopes: readonly string[]): boolean {
  return scopes.includes('profile') || scopes.includes('email');
}

export function claimsFor(site: Site, member: Member, scopes: readonly string[]): Partial<Record<Claim, unknown>> {
  const all = memberClaims(site, member);
  return Object.fromEntries(
    Object.entries(claimsByScope)
      .filter(([scope]) => scopes.includes(scope))
      .flatMap(([, names]) => names.map((name) => [name, all[name]])),
  );
}
