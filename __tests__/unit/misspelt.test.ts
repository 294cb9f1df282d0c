import { expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import { createCampus } from '../../lib/index.ts';
import { nearest } from '../../lib/kernel/misspelt.ts';
import { signingKey } from '../helpers/keys.ts';

class Platform {
  findSite(): undefined {}
  signedInMember(): undefined {}
  signInUrl(): string {
    return '/sign-in';
  }
  findMember(): undefined {}
}

const named = (name: string, value: unknown): object =>
  Object.defineProperty(new (class extends Platform {})(), name, { value, configurable: true });

/** A platform whose class calls one of its methods by another name. */
function renamed(from: keyof Platform, to: string): object {
  const names = ['findSite', 'signedInMember', 'signInUrl', 'findMember'] as const;
  const methods = names.map((name) => [name === from ? to : name, () => undefined]);
  return Object.create(Object.fromEntries(methods));
}

async function create(platform: object): Promise<void> {
  const keys = { signing: [await signingKey('a')], cookies: ['0123456789abcdef'] };
  await Reflect.apply(createCampus, undefined, [{ platform, store: memoryStore(), keys }]).close();
}

test.each<[string, object, string]>([
  [
    'a field of another case',
    named('operatorroles', []),
    'unknown option "platform.operatorroles"; did you mean "platform.operatorRoles"?',
  ],
  [
    'a field without its s',
    named('operatorRole', []),
    'unknown option "platform.operatorRole"; did you mean "platform.operatorRoles"?',
  ],
  [
    'a method of another case',
    renamed('findMember', 'findmember'),
    'unknown option "platform.findmember"; did you mean "platform.findMember"?',
  ],
  [
    'a method with two letters swapped',
    renamed('signInUrl', 'singInUrl'),
    'unknown option "platform.singInUrl"; did you mean "platform.signInUrl"?',
  ],
  [
    'a method with an s',
    renamed('findSite', 'findSites'),
    'unknown option "platform.findSites"; did you mean "platform.findSite"?',
  ],
  ['a method that looks like no other', renamed('findSite', 'schoolAt'), 'platform.findSite must be a function'],
])('%s of an instance is named', async (_what, platform, message) => {
  await expect(create(platform)).rejects.toThrow(message);
});

test.each<[string, object]>([
  ['a method of its own that is nearly one of ours', named('findMembers', () => [])],
  ['a field of its own', named('database', {})],
  ['a field that is near to roles', named('rules', [])],
  [
    'a getter that throws',
    Object.defineProperty(new Platform(), 'secret', {
      get: () => {
        throw new Error('no');
      },
    }),
  ],
  ['members of every object', new (class extends Platform {})()],
])('%s is left alone', async (_what, platform) => {
  await expect(create(platform)).resolves.toBeUndefined();
});

// Two letters of a name may differ, and one in three of a short name.
test.each<[string, readonly string[], string | undefined]>([
  ['hoooks', ['hook', 'hooks'], 'hooks'],
  ['HOOKS', ['hooks'], 'hooks'],
  ['kyes', ['keys', 'siteKeys'], 'keys'],
  ['scpoe', ['scope', 'scopes'], 'scope'],
  ['acessTokn', ['accessToken'], 'accessToken'],
  ['accesstkn', ['refreshToken'], undefined],
  ['ttl', ['max'], undefined],
  ['x', ['ca', 'port'], undefined],
  ['', ['a', 'ca'], undefined],
  ['colour', [], undefined],
])('%j is nearest to none but a close name: %j', (name, known, meant) => {
  expect(nearest(name, known)).toBe(meant);
});
