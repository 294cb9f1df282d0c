import type { Only } from './boundary.ts';

/** An object of `authorization_details`. RFC 9396 section 2. */
interface AuthorizationDetail {
  readonly type: string;
  readonly identifiers: readonly string[];
}

/** What a token is limited to, as apps and resource servers read it. */
export function detailsOf(only: Only): AuthorizationDetail[] {
  return Object.entries(only).map(([type, identifiers]) => ({ type, identifiers }));
}
