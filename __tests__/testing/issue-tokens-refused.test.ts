import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import type { Store } from '../../lib/store.ts';
import { issueTokens } from '../../lib/testing/index.ts';
import { knownDocuments, metadataDocuments } from '../../policies/index.ts';
import { withDevices } from '../features/device/devices.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';

let schools: Schools;
beforeAll(async () => {
  const documents = metadataDocuments({ documents: knownDocuments });
  schools = await startSchools({ campus: { ...withDevices, metadataDocuments: documents } });
});
afterAll(() => schools.close());

describe('what cannot be issued', () => {
  const good = { memberId: 'sam', clientId: 'member-app', scopes: ['openid'] };
  test.each<[string, object, RegExp]>([
    [
      'an unknown site',
      { site: 'https://nowhere.example' },
      /^site must be a school .*findSite\("https:\/\/nowhere.example"\) found none$/,
    ],
    ['a site that is no origin', { site: 'harbour' }, /^site must be a school .*, or its origin/],
    [
      'an unknown member',
      { memberId: 'nobody' },
      /^memberId must be a member of harbour; platform.findMember found none for "nobody"$/,
    ],
    [
      'an unknown client',
      { clientId: 'nothing' },
      /^clientId must be a client of harbour; "nothing" is not in createCampus/,
    ],
    [
      'a document that is not permitted',
      { clientId: 'https://claude.ai/other' },
      /^clientId must be .*https:\/\/claude.ai\/other is refused: .*not permitted/,
    ],
    ['a client of another site', { clientId: 'reports', site: 'summit' }, /^clientId must be a client of summit/],
    ['a client without a redirect URI', { clientId: 'kiosk' }, /kiosk has no redirect URI$/],
    ['an acr with a space', { acr: 'two factors' }, /^acr must be 1 to 255 printable ASCII characters without spaces/],
    ['a time in milliseconds', { authTime: Date.now() }, /^authTime must be in whole seconds/],
    ['no scope', { scopes: [] }, /^scopes must be an array with a scope or more$/],
    ['an unknown scope', { scopes: ['lessons:read'] }, /invalid_scope \(unknown scope: lessons:read/],
    [
      'a scope that the client may not have',
      { scopes: ['courses:read'] },
      /member-app and member sam \(with the role student\) at harbour.*invalid_scope \(this client may not ask for courses:read/,
    ],
    [
      'a member without a role',
      { memberId: 'nora' },
      /nora \(without a role\).*access_denied \(the signed-in person has no access/,
    ],
    [
      'a student for a client of operators',
      { clientId: 'reports' },
      /access_denied \(the signed-in person must be an operator/,
    ],
  ])('%s', async (_what, wrong, message) => {
    const request = { site: schools.harbour, ...good, ...wrong };
    const site = request.site === 'summit' ? schools.summit : request.site;
    await expect(issueTokens(schools.campus, { ...request, site })).rejects.toThrow(message);
  });

  test('what a consent policy removes or denies, with its text', async () => {
    const other = await startSchools({
      campus: {
        access: [
          ({ member, scopes }) =>
            member?.id === 'olivia'
              ? { access: 'blocked', text: 'Not during the exams.' }
              : { scopes: scopes.filter((scope) => scope !== 'profile') },
        ],
      },
    });
    const request = { site: other.harbour, clientId: 'member-app', scopes: ['openid', 'profile'] };
    await expect(issueTokens(other.campus, { ...request, memberId: 'sam' })).rejects.toThrow('profile was not granted');
    await expect(issueTokens(other.campus, { ...request, memberId: 'olivia' })).rejects.toThrow(
      'Not during the exams.',
    );
    await other.close();
  });

  test('for what is no campus of this copy of the package', async () => {
    await expect(issueTokens({ ...schools.campus }, { site: schools.harbour, ...good })).rejects.toThrow(
      'campus must be what createCampus returned',
    );
  });

  test('a fault of the store is reported by the campus', async () => {
    const store: Store = { ...memoryStore(), redeem: () => Promise.reject(new Error('disk full')) };
    const failing = await startSchools({ campus: { store } });
    await expect(issueTokens(failing.campus, { site: failing.harbour, ...good })).rejects.toThrow(
      /the token endpoint refused: temporarily_unavailable/,
    );
    expect(failing.faults).toEqual([{ message: 'store.redeem failed', cause: new Error('disk full') }]);
    await failing.close();
  });
});

describe('outside of tests', () => {
  const before = process.env['NODE_ENV'];
  afterAll(() => {
    process.env['NODE_ENV'] = before;
  });
  const request = { memberId: 'sam', clientId: 'member-app', scopes: ['openid'] };
  const environments: [string | undefined, string][] = [
    [undefined, 'unset'],
    ['', '""'],
    ['production', '"production"'],
    ['Production', '"Production"'],
    ['staging', '"staging"'],
    ['development', '"development"'],
  ];

  test.each(environments)('nothing is issued while NODE_ENV is %j, unless a flag says so', async (value, shown) => {
    if (value === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = value;
    const asked = { site: schools.harbour, ...request };
    await expect(issueTokens(schools.campus, asked)).rejects.toThrow(
      `so NODE_ENV must be "test", not ${shown}; set it (node --test does not), or pass allowOutsideTests: true`,
    );
    const { scope } = await issueTokens(schools.campus, { ...asked, allowOutsideTests: true });
    expect(scope).toBe('openid');
  });
});
