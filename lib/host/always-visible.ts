import { claimsByScope } from './claims.ts';

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
