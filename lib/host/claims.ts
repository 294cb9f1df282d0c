import type { Member, Site } from '../contracts/platform.ts';

/** The claims of each scope, in ID tokens and UserInfo responses. Specification: Tokens 3. */
export const claimsByScope = {
  openid: ['sub', 'org_id', 'roles'],
  profile: ['name', 'picture'],
  email: ['email', 'email_verified'],
} as const;

/** A member's claims at a site. JSON omits those that are `undefined`. */
interface MemberClaims {
  readonly sub: string;
  readonly org_id: string;
  readonly roles: string[];
  readonly name: string;
  readonly picture: string | undefined;
  readonly email: string;
  readonly email_verified: boolean | undefined;
}

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

/** The claims that these scopes allow. */
export function claimsFor(site: Site, member: Member, scopes: readonly string[]): Partial<MemberClaims> {
  const all = memberClaims(site, member);
  return Object.fromEntries(
    Object.entries(claimsByScope)
      .filter(([scope]) => scopes.includes(scope))
      .flatMap(([, names]) => names.map((name) => [name, all[name]])),
  );
}
