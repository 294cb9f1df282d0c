import { expect, test } from '@jest/globals';
import {
  loopbackClients,
  metadataDocuments,
  unreviewedScopesOf,
  operatorScopesOf,
  vendorPlatforms,
} from '../../policies/index.ts';
import { createCampus, type RegistrationPolicy } from '../../lib/index.ts';
import { campusScopes } from '../../lib/options/scopes.ts';
import { memoryStore } from '../../adapters/memory/index.ts';
import { signingKey } from '../helpers/keys.ts';
import { harbourSite } from '../helpers/sites.ts';
import { operatorScopes, unreviewedScopes } from '../../policies/index.ts';
import { scopesBut } from '../helpers/scopes.ts';
import { studioScopes } from './studio.ts';

const only = scopesBut('courses:write');
const { rows: scopes } = campusScopes({ only, own: studioScopes });
const key = await signingKey('key-1');
const platform = {
  findSite: () => undefined,
  signedInMember: () => undefined,
  signInUrl: () => '',
  findMember: () => undefined,
};
const acme = {
  clientId: 'acme',
  clientName: 'Acme',
  names: ['Acme'],
  redirectUris: ['https://acme.example/callback'],
  callbackPrefix: 'https://acme.example/tools/',
};

const operator = [
  ...operatorScopes.filter((scope) => scope !== 'courses:write'),
  'kilns:read',
  'kilns:write',
  'glazes:write',
];
const unreviewed = [...unreviewedScopes, 'kilns:read'];

test('operatorScopesOf and unreviewedScopesOf take the rows of the host by audience and access', () => {
  expect(operatorScopesOf(scopes)).toEqual(operator);
  expect(unreviewedScopesOf(scopes)).toEqual(unreviewed);
  expect([operatorScopesOf(), unreviewedScopesOf()]).toEqual([operatorScopes, unreviewedScopes]);
});

test('the allowed scopes of a metadata document have them', async () => {
  const policy = metadataDocuments({ open: true, reviewed: (_id, digest) => digest === 'reviewed' });
  expect(await policy.allowedScopes('https://a.example/', 'new', scopes)).toEqual(unreviewed);
  expect(await policy.allowedScopes('https://a.example/', 'reviewed', scopes)).toEqual(operator);
  expect(await policy.allowedScopes('https://a.example/', 'new')).toEqual(unreviewedScopes);
});

test.each<[string, RegistrationPolicy, object]>([
  ['loopbackClients', loopbackClients(), { redirect_uris: ['http://127.0.0.1/'] }],
  [
    'vendorPlatforms',
    vendorPlatforms([acme]),
    { client_name: 'Acme', redirect_uris: ['https://acme.example/tools/a'] },
  ],
])('%s admits with them', async (_name, policy, metadata) => {
  expect(await policy.decide({ site: harbourSite(), metadata, scopes })).toMatchObject({
    metadata: { scope: operator.join(' ') },
  });
});

test.each([
  [
    ['openid', 'shelf:read'],
    'vendorPlatforms[0].scopes[1] must be an operator scope of the catalogue, not "shelf:read"',
  ],
  [['kilns:eat'], 'vendorPlatforms[0].scopes[0] must be an operator scope of the catalogue, not "kilns:eat"'],
  [['courses:write'], 'vendorPlatforms[0].scopes[0] must be an operator scope of the catalogue, not "courses:write"'],
])('a vendor with the scopes %j is refused when the campus is created', (given, message) => {
  const options = { platform, store: memoryStore(), keys: { signing: [key], cookies: ['a secret of the tests'] } };
  const create = (wanted: readonly string[]) =>
    createCampus({
      ...options,
      scopes: { only, own: studioScopes },
      registration: [vendorPlatforms([{ ...acme, scopes: wanted }])],
    });
  expect(() => create(given)).toThrow(new TypeError(message));
  expect(() => create(['openid', 'kilns:write'])).not.toThrow();
});
