// call-courses.ts
import type { Campus } from 'campus-oidc';
import { issueTokens } from 'campus-oidc/testing';
import { origin } from './harbour.ts';

/** Calls the API with the scope, without it and without a token. */
export async function callCourses(campus: Campus): Promise<void> {
  for (const scopes of [['openid', 'courses:read'], ['openid']]) {
    const tokens = await issueTokens(campus, { site: origin, memberId: 'olivia', clientId: 'reports', scopes });
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    const response = await fetch(`${origin}/api/courses`, { headers });
    console.log(scopes.join(' '), response.status, await response.text());
  }
  const anonymous = await fetch(`${origin}/api/courses`);
  console.log('no token', anonymous.status, anonymous.headers.get('www-authenticate')?.slice(0, 20));
}
