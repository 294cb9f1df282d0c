import type { SchoolPlatform } from 'campus-oidc';
import type { Queries } from './queries.ts';
import type { Sessions } from './sessions.ts';

/** The parts of the platform that campus-oidc asks. */
export interface PlatformParts {
  readonly queries: Queries;
  readonly sessions: Sessions;
}

/** What campus-oidc asks the host, from the platform's own database and sessions. */
export function schoolPlatform({ queries, sessions }: PlatformParts): SchoolPlatform {
  return {
    findSite: (origin) => queries.school(origin),

    signedInMember(ctx, site) {
      const session = sessions.current(ctx, site.id);
      if (!session) return undefined;
      const { personId: memberId, authTime, idHash: sessionId } = session;
      return { memberId, authTime, amr: ['pwd'], sessionId };
    },

    signInUrl(_ctx, site, returnTo, hint) {
      const url = new URL('/sign-in', site.origin);
      url.searchParams.set('return_to', returnTo);
      if (hint.reauthenticate) url.searchParams.set('reauthenticate', '1');
      if (hint.loginHint !== undefined) url.searchParams.set('login_hint', hint.loginHint);
      return url.href;
    },

    findMember: (site, memberId) => queries.member(site.id, memberId),

    roles: () => queries.roles(),

    // Teachers connect apps that help them at the school; owners and admins decide which.
    operatorRoles: ['owner', 'admin', 'teacher'],
    adminRoles: ['owner', 'admin'],
  };
}
