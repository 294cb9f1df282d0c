import { expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import { createCampus } from '../../lib/index.ts';
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
    'platform.operatorroles must be named operatorRoles, which is missing',
  ],
  ['a field without its s', named('operatorRole', []), 'platform.operatorRole must be named operatorRoles'],
  ['a method of another case', renamed('findMember', 'findmember'), 'platform.findmember must be named findMember'],
  [
    'a method with two letters swapped',
    renamed('signInUrl', 'singInUrl'),
    'platform.singInUrl must be named signInUrl',
  ],
  ['a method with an s', renamed('findSite', 'findSites'), 'platform.findSites must be named findSite'],
  ['a method that looks like no other', renamed('findSite', 'schoolAt'), 'platform.findSite must be a function'],
])('%s of an instance is named', async (_what, platform, message) => {
  await expect(create(platform)).rejects.toThrow(message);
});

test.each<[string, object]>([
  ['a method of its own that is nearly one of ours', named('findMembers', () => [])],
  ['a field of its own', named('database', {})],
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
