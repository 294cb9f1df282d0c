import { expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import { createCampus, settingsOf } from '../../lib/campus.ts';
import { knownToClients } from '../../lib/core/enabled/enabled.ts';
import { features } from '../../lib/features/features.ts';
import { partsOf } from '../../lib/public/campus.ts';
import { fakePlatform } from '../../lib/testing/fake-platform.ts';
import { signingKey } from '../helpers/keys.ts';
import { openInterfaces } from './open-interfaces.ts';

const options = {
  platform: fakePlatform({ schools: [], people: {} }),
  store: memoryStore(),
  keys: { signing: [await signingKey('key-1')], cookies: ['a secret of the tests'] },
};
const settings = settingsOf(options);
const { byMember, authentication, properties } = knownToClients(features);
const campus = createCampus(options);

const declared = openInterfaces();
const keysOf = (values: readonly (object | undefined)[]): string[] => values.flatMap((each) => Object.keys(each ?? {}));

/** The members of each open interface for which the features of the list, or the core, have a value. */
const served: Readonly<Record<string, readonly string[]>> = {
  AuthenticationOptions: authentication.flatMap(({ name, isOptional }) => (isOptional ? name : [])),
  ClientProperties: properties.map(({ member }) => member),
  FeatureLimits: keysOf(features.map(({ limits }) => limits)),
  FeatureMethods: Object.keys(campus).filter((name) => declared.get('FeatureMethods')?.includes(name)),
  FeatureOptions: keysOf(features.map((feature) => feature.options)),
  FeaturePolicies: keysOf(features.map(({ policies }) => policies?.(settings, () => {}))),
  FeatureSettings: keysOf(features.map((feature) => feature.options)),
  FeatureTexts: keysOf(features.map(({ texts }) => texts?.en)),
  GrantMembers: byMember.map(({ clientMember }) => clientMember),
  School: Object.keys(partsOf(campus)?.school ?? {}),
};

test('each interface that features extend is compared here, but the pages, which the gallery draws', () => {
  expect([...declared.keys()].sort()).toEqual([...Object.keys(served), 'FeaturePages'].sort());
});

test.each(Object.entries(served))('features serve each member that they declare of %s, and no other', (name, keys) => {
  expect(keys.toSorted()).toEqual(declared.get(name));
});
