import type { MemberData, SchoolPlatform } from 'campus-oidc';
import type { Courses } from './courses.ts';
import type { Queries } from './queries.ts';
import type { Sessions } from './sessions.ts';

interface PlatformParts {
  readonly queries: Queries;
  readonly sessions: Sessions;
  readonly courses: Courses;
  readonly memberData: MemberData;
}

/** The host's side of campus-oidc, backed by the platform's own database and sessions. */
export function schoolPlatform({ queries, sessions, courses, memberData }: PlatformParts): SchoolPlatform {
  return {
    findSite: (origin) => queries.school(origin),

    signedInMember(ctx, site) {
      const session = sessions.current(ctx, site.id);
      return session && { memberId: session.personId, authTime: session.authTime, amr: ['pwd'] };
    },

    signInUrl(_ctx, site, returnTo, hint) {
      const url = new URL('/sign-in', site.origin);
      url.searchParams.set('return_to', returnTo);
      if (hint.fresh) url.searchParams.set('fresh', '1');
      if (hint.loginHint !== undefined) url.searchParams.set('login_hint', hint.loginHint);
      return url.href;
    },

    findMember: (site, memberId) => queries.member(site.id, memberId),

    memberData,

    publicCatalogue: { courses: (site, request) => courses.page(site.id, request) },
  };
}
