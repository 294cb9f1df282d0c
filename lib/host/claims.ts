import type { Member, Site } from '../contracts/platform.ts';

/** Which claims a scope gives, in the ID token and from UserInfo alike. Specification: Tokens 3. */
export const claimsByScope = {
  openid: ['sub', 'org_id', 'roles'],
  profile: ['name', 'picture'],
  email: ['email', 'email_verified'],
} as const;

/** A person's claims at a site; `undefined` members are left out of JSON. */
export interface MemberClaims {
  readonly sub: string;
  readonly org_id: string;
  readonly roles: string[];
  readonly name: string;
  readonly picture: string | undefined;
  readonly email: string;
  readonly email_verified: boolean | undefined;
}

/** Everything that may be said of a member at a site. */
export function memberClaims(site: Site, member: Member): MemberClaims {
  return {
    sub: member.id,
    org_id: site.id,
    roles: [...member.roles],
    name: member.name,
    picture: member.picture,
    email: member.email,
    email_verified: member.emailVerified,
  };
}

/** What these scopes let an application know. */
export function claimsFor(site: Site, member: Member, scopes: readonly string[]): Partial<MemberClaims> {
  const all = memberClaims(site, member);
  return Object.fromEntries(
    Object.entries(claimsByScope)
      .filter(([scope]) => scopes.includes(scope))
      .flatMap(([, names]) => names.map((name) => [name, all[name]])),
  );
}
