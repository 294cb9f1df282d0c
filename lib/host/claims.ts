import type { Member, Site } from '../contracts/platform.ts';

/** The claims of each scope, in ID tokens and UserInfo responses. Specification: Tokens 3. */
export const claimsByScope = {
  openid: ['sub', 'org_id', 'roles'],
  profile: ['name', 'picture'],
  email: ['email', 'email_verified'],
} as const;

type Claim = (typeof claimsByScope)[keyof typeof claimsByScope][number];

/** JSON omits the claims that are `undefined`. */
export function memberClaims(site: Site, member: Member): Record<Claim, unknown> & { sub: string } {
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

export function claimsFor(site: Site, member: Member, scopes: readonly string[]): Partial<Record<Claim, unknown>> {
  const all = memberClaims(site, member);
  return Object.fromEntries(
    Object.entries(claimsByScope)
      .filter(([scope]) => scopes.includes(scope))
      .flatMap(([, names]) => names.map((name) => [name, all[name]])),
  );
}

/**
 * What a client sees of a person whatever they allow, as the pages list it. `viewer` has the fields of the Member API that need
 * no scope, so that every token reads them; `claims` those of the identity scopes, which nobody is asked about.
 */
export const alwaysVisible = [
  { row: 'name', viewer: ['name'], claims: ['name'] },
  { row: 'picture', viewer: [], claims: ['picture'] },
  { row: 'email', viewer: ['email'], claims: ['email', 'email_verified'] },
  { row: 'roles', viewer: ['id'], claims: ['sub', 'org_id', 'roles'] },
  { row: 'schools', viewer: ['schools'], claims: [] },
  { row: 'courses', viewer: ['enrolledCourses'], claims: [] },
  { row: 'purchases', viewer: ['digitalProducts', 'consultingServices', 'eventRegistrations'], claims: [] },
] as const;

type VisibleRow = (typeof alwaysVisible)[number]['row'];

/** The rows that apply to a client with these scopes. */
export function visibleTo(scopes: readonly string[], { memberApi }: { readonly memberApi: boolean }): VisibleRow[] {
  const claims = new Set<string>(
    Object.entries(claimsByScope).flatMap(([scope, names]) => (scopes.includes(scope) ? names : [])),
  );
  const isVisible = ({ viewer, claims: names }: (typeof alwaysVisible)[number]): boolean =>
    (memberApi && viewer.length > 0) || [...names].some((name) => claims.has(name));
  return alwaysVisible.filter(isVisible).map(({ row }) => row);
}
