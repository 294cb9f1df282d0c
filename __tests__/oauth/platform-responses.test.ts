import { expect, test } from '@jest/globals';
import type { SchoolPlatform } from '../../lib/index.ts';
import { authorizeUrl, pkce, webMemberApp } from '../helpers/flow.ts';
import { startSchools } from '../helpers/schools.ts';

const sam = { id: 'sam', name: 'Sam', email: 'sam@example.com', roles: ['student'] };

/** What a platform in plain JavaScript may return, and what the fault says of it. */
const rows: [string, object, string][] = [
  [
    'a member id that is a number',
    { signedInMember: () => ({ memberId: 7 }) },
    'signedInMember() returned memberId: 7',
  ],
  [
    'an authTime in milliseconds',
    { signedInMember: () => ({ memberId: 'sam', authTime: Date.now() }) },
    'it must be whole seconds',
  ],
  [
    'an authTime that is a date',
    { signedInMember: () => ({ memberId: 'sam', authTime: new Date() }) },
    'it must be whole seconds',
  ],
  [
    'a member without roles',
    { findMember: () => ({ ...sam, roles: undefined }) },
    'findMember() returned roles: undefined',
  ],
  ['roles that are a string', { findMember: () => ({ ...sam, roles: 'student' }) }, 'it must be an array of strings'],
  ['a member without e-mail', { findMember: () => ({ ...sam, email: undefined }) }, 'findMember() returned email'],
];

test.each(rows)('%s is a fault that says what to change: 503', async (_name, change, message) => {
  const platform: Partial<SchoolPlatform> = { ...change };
  const schools = await startSchools({ platform });
  const { response } = await schools.browser('sam').follow(authorizeUrl(schools.harbour, webMemberApp, pkce()));
  await schools.close();
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  expect(String(schools.faults[0]?.cause)).toContain(message);
});
