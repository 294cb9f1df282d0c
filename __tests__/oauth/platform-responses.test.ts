import { expect, test } from '@jest/globals';
import type { SchoolPlatform } from '../../lib/index.ts';
import { authorizeUrl, pkce, webMemberApp } from '../helpers/flow.ts';
import { startSchools } from '../helpers/schools.ts';

const sam = { id: 'sam', name: 'Sam', email: 'sam@example.com', roles: ['student'] };
const session = (change: object): object => ({ signedInMember: () => ({ memberId: 'sam', ...change }) });
const member = (change: object): object => ({ findMember: () => ({ ...sam, ...change }) });

/** What a platform in plain JavaScript may return, and what the fault says of it. */
const rows: [string, object, string][] = [
  [
    'a member id that is a number',
    session({ memberId: 7 }),
    'signedInMember() returned memberId: 7; it must be a non-e',
  ],
  [
    'an authTime of the future',
    session({ authTime: Math.floor(Date.now() / 1000) + 24 * 60 * 60 }),
    'it must be at most 60 seconds ahead of the clock of this process',
  ],
  ['an authTime in milliseconds', session({ authTime: Date.now() }), 'it must be whole seconds'],
  [
    'an authTime that is a date',
    session({ authTime: new Date() }),
    'authTime: an instance of Date; it must be whole s',
  ],
  ['an amr that is no list', session({ amr: 'pwd' }), 'returned amr: "pwd"; it must be an array of strings'],
  ['true for the session', { signedInMember: () => true }, 'signedInMember() returned true; it must be { memberId }'],
  [
    'the key of the session for the session',
    { signedInMember: () => 'sid-1f0e' },
    'signedInMember() returned a string; it must be { memberId }, or undefined',
  ],
  ['a member without roles', member({ roles: undefined }), 'findMember() returned roles: undefined'],
  ['roles that are a string', member({ roles: 'student' }), 'roles: "student"; it must be an array of strings'],
  [
    'a member without id',
    member({ id: undefined }),
    'returned id: undefined; it must be the id that was asked for, "sam"',
  ],
  [
    'another member',
    member({ id: 'Sam' }),
    'findMember() returned id: "Sam"; it must be the id that was asked for, "sam"',
  ],
  [
    'a list of members',
    { findMember: () => [sam] },
    'findMember() returned an array; it must be a member, or undefined',
  ],
  [
    'a long name that hides and controls text',
    member({ id: `\u202e\u009b31m${'x'.repeat(1000)}` }),
    `returned id: "\\u{202e}\\u{9b}31m${'x'.repeat(75)}"…; it must`,
  ],
];

test.each(rows)('%s is a fault that says what to change, and a page: 503', async (_name, change, message) => {
  const platform: Partial<SchoolPlatform> = { ...change };
  const schools = await startSchools({ platform });
  const { response, html } = await schools.browser('sam').follow(authorizeUrl(schools.harbour, webMemberApp, pkce()));
  await schools.close();
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  expect(html).toContain('This is not available right now');
  expect(schools.faults[0]?.message).toBe(`platform.${Object.keys(change).join()} failed`);
  expect(String(schools.faults[0]?.cause)).toContain(message);
  expect(html + String(schools.faults[0]?.cause)).not.toContain('sid-1f0e');
});

test('no address of a sign-in page is a fault and a page: 503', async () => {
  const platform: Partial<SchoolPlatform> = { signInUrl: JSON.parse('0', () => () => undefined) };
  const schools = await startSchools({ platform });
  const { response, html } = await schools.browser().follow(`${schools.harbour}/account/apps`);
  await schools.close();
  expect(response.status).toBe(503);
  expect(html).toContain('This is not available right now');
  expect(String(schools.faults[0]?.cause)).toContain(
    'platform.signInUrl() returned undefined; it must be the address of the sign-in page',
  );
});
