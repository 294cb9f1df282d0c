import { expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import { createCampus, type Member, type Site } from '../../lib/index.ts';
import { fakePlatform, issueTokens } from '../../lib/testing/index.ts';
import { signingKey } from '../helpers/keys.ts';

const origin = 'https://harbour.example';

/** As of an object-relational mapper: methods and accessors are on the prototype. */
class School implements Site {
  readonly id = 'harbour';
  readonly origin = origin;
  readonly connectionsEnabled = true;
  readonly plan = 'pro';
  get name(): string {
    return 'Harbour School';
  }
  allows(scope: string): boolean {
    return this.plan === 'pro' && scope !== 'email';
  }
}

interface Person extends Member {
  readonly birthYear: number;
}

test('what the platform returns reaches policies, rules and callers as it is, methods included', async () => {
  const fake = fakePlatform({
    schools: [{ id: 'harbour', origin, name: 'Harbour School' }],
    people: { harbour: { sam: { roles: ['student'] } } },
  });
  const seen = new Set<string>();
  const campus = createCampus({
    platform: {
      findSite: (asked) => (asked === origin ? new School() : undefined),
      signedInMember: fake.signedInMember,
      signInUrl: fake.signInUrl,
      findMember: (site, memberId): Person | undefined => {
        const member = fake.findMember(site, memberId);
        return member && { ...member, birthYear: 2012 };
      },
    },
    store: memoryStore(),
    keys: { signing: [await signingKey('key-1')], cookies: ['a secret of the test'] },
    clients: [
      {
        clientId: 'pocket-app',
        clientName: 'Pocket App',
        audience: 'member',
        redirectUris: ['http://127.0.0.1/callback'],
        scopes: ['openid', 'profile', 'email'],
      },
    ],
    access: [
      ({ site, member, scopes }) => {
        seen.add(`${site.plan} ${site.name} ${member?.birthYear}`);
        return { scopes: scopes.filter((scope) => site.allows(scope)) };
      },
    ],
  });

  const request = { site: origin, memberId: 'sam', clientId: 'pocket-app', scopes: ['openid', 'email'] };
  const tokens = await issueTokens(campus, { ...request, scopes: ['openid', 'profile'] });
  const access = await campus.verify(new School(), tokens.access_token);
  expect([access.site.plan, access.site.name, access.site.allows('email'), access.member.birthYear]).toEqual([
    'pro',
    'Harbour School',
    false,
    2012,
  ]);
  await expect(issueTokens(campus, request)).rejects.toThrow('email');
  await campus.close();
  expect([...seen]).toContain('pro Harbour School 2012');
});
