import { beforeAll, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import { type CampusKeys, type CampusOptions, createCampus, type Jwk } from '../../lib/index.ts';
import { testClients } from '../helpers/clients.ts';
import { signingKey } from '../helpers/keys.ts';

let key: Jwk;
let other: Jwk;
let rsa: Jwk;
let otherRsa: Jwk;
beforeAll(async () => {
  [key, other] = await Promise.all([signingKey('a'), signingKey('b')]);
  [rsa, otherRsa] = await Promise.all([signingKey('r', 'RS256'), signingKey('s', 'RS256')]);
});

const platform: CampusOptions['platform'] = {
  findSite: () => undefined,
  signedInMember: () => undefined,
  signInUrl: () => '/sign-in',
  findMember: () => undefined,
};
type Options = Omit<CampusOptions, 'keys'> & { readonly keys: CampusKeys };
const good = (): Options => ({
  platform,
  store: memoryStore(),
  keys: { signing: [key], published: [other], cookies: ['0123456789abcdef'] },
  clients: testClients,
});

type Change = (options: Options) => object;
const keys =
  (change: (keys: CampusKeys) => object): Change =>
  (options) => ({ ...options, keys: change(options.keys) });
const client =
  (change: object): Change =>
  (options) => ({ ...options, clients: [{ ...testClients[0], ...change }] });
const gradesApi = { clientId: 'grades', clientSecret: 'grades-secret' };
const api =
  (change: object): Change =>
  (options) => ({ ...options, resourceServers: [{ ...gradesApi, ...change }] });

const rows: [string, Change, string][] = [
  [
    'an unknown option',
    (o) => ({ ...o, colour: 'red' }),
    'unknown option "colour"; valid options: platform, store, keys, siteKeys, ',
  ],
  ['no platform', (o) => ({ ...o, platform: undefined }), 'platform must be an object'],
  [
    'a platform without findMember',
    (o) => ({ ...o, platform: { ...platform, findMember: undefined } }),
    'platform.findMember must be a function',
  ],
  [
    'operator roles that are not an array',
    (o) => ({ ...o, platform: { ...platform, operatorRoles: 'owner' } }),
    'platform.operatorRoles must be an array of strings',
  ],
  ['no store', (o) => ({ ...o, store: undefined }), 'store must be a store, for example memoryStore()'],
  [
    'a store without redeem',
    (o) => ({ ...o, store: { ...memoryStore(), redeem: 1 } }),
    'store.redeem must be a function',
  ],
  [
    'a site cache as an object',
    (o) => ({ ...o, siteCache: { max: 1 } }),
    'siteCache must be a whole number of seconds',
  ],
  ['no keys', (o) => ({ ...o, keys: undefined }), 'keys must be an object'],
  [
    'keys without any key',
    keys((k) => ({ ...k, signing: [], published: [] })),
    'keys.signing must have a key, or keys.published must',
  ],
  [
    'an RSA key without its numbers',
    keys((k) => ({ ...k, signing: [key, { ...key, kty: 'RSA', alg: 'RS256' }] })),
    'keys.signing[1].n must be a base64url string',
  ],
  [
    'a secret that two sides share',
    keys((k) => ({ ...k, signing: [key, { kty: 'oct', alg: 'HS256', kid: 'h', k: 'c2VjcmV0' }] })),
    'keys.signing[1].kty must be "EC" or "RSA"',
  ],
  [
    'an RSA key for another algorithm',
    keys((k) => ({ ...k, signing: [key, { ...rsa, alg: 'PS256' }] })),
    'keys.signing[1].alg must be "RS256"',
  ],
  [
    'only RSA keys',
    keys((k) => ({ ...k, signing: [rsa] })),
    'keys.signing must have an ES256 key in addition to the RS256 keys',
  ],
  [
    'an RSA key without what makes signing fast',
    keys((k) => ({ ...k, signing: [key, { ...rsa, qi: undefined }] })),
    'keys.signing[1] must be a private key: a JSON Web Key with "d", "p", "q", "dp", "dq" and "qi"',
  ],
  [
    'an RSA key of two pairs',
    keys((k) => ({ ...k, signing: [key, { ...rsa, n: otherRsa.n }] })),
    'keys.signing[1] must be a private key: a JSON Web Key with "d", "p", "q", "dp", "dq" and "qi"',
  ],
  [
    'a short RSA key',
    keys((k) => ({ ...k, published: [{ kty: 'RSA', alg: 'RS256', kid: 'short', n: 'x'.repeat(171), e: 'AQAB' }] })),
    'keys.published[0] must be another key: it has 1024 bits, not 2048 to 4096',
  ],
  [
    'another curve',
    keys((k) => ({ ...k, signing: [{ ...key, crv: 'P-384' }] })),
    'keys.signing[0].crv must be "P-256"',
  ],
  [
    'another algorithm',
    keys((k) => ({ ...k, signing: [{ ...key, alg: 'ES384' }] })),
    'keys.signing[0].alg must be "ES256"',
  ],
  [
    'a key without kid',
    keys((k) => ({ ...k, signing: [{ ...key, kid: undefined }] })),
    'keys.signing[0].kid must be a non-empty string',
  ],
  [
    'an encryption key',
    keys((k) => ({ ...k, signing: [{ ...key, use: 'enc' }] })),
    'keys.signing[0].use must be "sig" or absent',
  ],
  [
    'a duplicate kid',
    keys((k) => ({ ...k, published: [{ ...other, kid: 'a' }] })),
    'keys.published[0].kid must be unique; "a" is duplicated',
  ],
  [
    'a public key in keys.signing',
    keys((k) => ({ ...k, signing: [{ ...key, d: undefined }] })),
    'keys.signing[0] must be a private key',
  ],
  [
    'a key that is not on the curve',
    keys((k) => ({ ...k, signing: [{ ...key, x: other.x }] })),
    'keys.signing[0] must be a private key',
  ],
  ['no cookie secret', keys((k) => ({ ...k, cookies: [] })), 'keys.cookies must be an array with at least one secret'],
  [
    'a short cookie secret',
    keys((k) => ({ ...k, cookies: ['short'] })),
    'keys.cookies[0] must be a secret of at least 16 characters',
  ],
  [
    'a client id with a space',
    client({ clientId: 'a b' }),
    'clients[0].clientId must be printable ASCII without spaces',
  ],
  [
    'a clientId that is the URL of a metadata document',
    client({ clientId: 'https://a.example/doc' }),
    'clients[0].clientId must not start with https://',
  ],
  ['a client without a name', client({ clientName: '' }), 'clients[0].clientName must be a non-empty string'],
  ...[
    'http://127.0.0.1/cb',
    'http://localhost/cb',
    'com.example.app:/cb',
    'https://localhost/cb',
    'https://127.0.0.2/cb',
    'https://app.localhost/cb',
    'https://0.0.0.0/cb',
  ].map((uri): [string, Change, string] => [
    `a public first-party client with ${uri}`,
    client({ firstParty: true, redirectUris: [uri] }),
    `clients[0].firstParty must not be true for a public client with ${uri}; give it a clientSecret`,
  ]),
  [
    'a document policy with its old members',
    (o) => ({ ...o, metadataDocuments: { permits: () => {}, checkDocument: () => {}, ceiling: () => [] } }),
    'metadataDocuments.checkClientId must be a function',
  ],
  [
    'a document policy without allowedScopes',
    (o) => ({ ...o, metadataDocuments: { checkClientId: () => {}, checkDocument: () => {} } }),
    'metadataDocuments.allowedScopes must be a function',
  ],
  ['a document policy that is a list', (o) => ({ ...o, metadataDocuments: [] }), 'metadataDocuments must be a policy'],
  ['claims that are not a function', (o) => ({ ...o, claims: {} }), 'claims must be a function'],
  ['an unknown audience', client({ audience: 'all' }), 'clients[0].audience must be "operator" or "member"'],
  ['a client without redirect URIs', client({ redirectUris: [] }), 'clients[0].redirectUris must not be empty'],
  [
    'an http: redirect URI',
    client({ redirectUris: ['http://app.example/cb'] }),
    'clients[0].redirectUris[0] must be a redirect URI, but it',
  ],
  [
    'a javascript: redirect URI',
    client({ redirectUris: ['javascript:alert(1)'] }),
    'clients[0].redirectUris[0] must be a redirect URI, but it',
  ],
  [
    'a client with the scheme of an app, which only a vendor may have',
    client({ redirectUris: ['cursor://anysphere.cursor-mcp/oauth/callback'] }),
    'clients[0].redirectUris[0] must be a redirect URI, but it uses the scheme cursor:',
  ],
  [
    'a client with an https address of this machine beside a loopback address',
    client({ redirectUris: ['https://localhost/cb', 'http://localhost/cb'] }),
    'clients[0].redirectUris must not mix an https: address of this machine',
  ],
  ['a client without scopes', client({ scopes: [] }), 'clients[0].scopes must not be empty'],
  ['an unknown scope', client({ scopes: ['all'] }), 'clients[0].scopes[0] must be a scope of the catalogue, not "all"'],
  [
    'account:read for an operator client',
    client({ audience: 'operator' }),
    'clients[0].scopes[3] must not be account:read',
  ],
  ['a client without redirect URIs', client({ redirectUris: [] }), 'clients[0].redirectUris must not be empty'],
  [
    'a resource server without a secret',
    api({ clientSecret: undefined }),
    'resourceServers[0].clientSecret must be set',
  ],
  [
    'a resource server with a secret and keys',
    api({ publicKeys: 'https://api.example/keys' }),
    'resourceServers[0].publicKeys must not be set together with clientSecret',
  ],
  [
    'a resource server with the id of a client',
    api({ clientId: testClients[1].clientId }),
    'resourceServers[0].clientId must be unique; "reports" is the id of a client, so choose another one',
  ],
  [
    'two resource servers with one id',
    (o) => ({ ...o, resourceServers: [gradesApi, gradesApi] }),
    'resourceServers[1].clientId must be unique; "grades" is duplicated',
  ],
  ['a resource server with scopes', api({ scopes: ['openid'] }), 'unknown option "resourceServers[0].scopes"'],
  [
    'a javascript: clientUri',
    client({ clientUri: 'javascript:alert(1)' }),
    'clients[0].clientUri must be an https: or http: address',
  ],
  [
    'a duplicate clientId',
    (o) => ({ ...o, clients: [testClients[0], testClients[0]] }),
    'clients[1].clientId must be unique',
  ],
  ['clients that are not an array', (o) => ({ ...o, clients: {} }), 'clients must be an array'],
  [
    'a misspelled member of a client',
    client({ clientSecrets: 'x' }),
    'unknown option "clients[0].clientSecrets"; did you mean "clients[0].clientSecret"?',
  ],
  [
    'a wrong client of a policy',
    (o) => ({
      ...o,
      registration: [{ name: 'mine', decide: () => undefined, clients: [{ ...testClients[1], scopes: [] }] }],
    }),
    'registration[0].clients[0].',
  ],
  [
    'the options of a policy instead of the policy',
    (o) => ({ ...o, metadataDocuments: { hosts: [] } }),
    'metadataDocuments must be a policy',
  ],
  [
    'a policy that is not a function',
    (o) => ({ ...o, access: ['allow'] }),
    'access[0] must be a function, or { at, decide }',
  ],
  [
    'a policy of a moment that there is not',
    (o) => ({ ...o, access: [{ at: ['conect'], decide: () => undefined }] }),
    'access[0].at[0] must be "connect", "refresh" or "use"',
  ],
  [
    'a policy without a moment',
    (o) => ({ ...o, access: [{ at: [], decide: () => undefined }] }),
    'access[0].at must have at least one moment, or be omitted',
  ],
  ['a policy without a function', (o) => ({ ...o, access: [{ name: 'plan' }] }), 'access[0].decide must be a function'],
  [
    'a negative lifetime',
    (o) => ({ ...o, lifetimes: { accessToken: -1 } }),
    'lifetimes.accessToken must be a whole number of seconds, at least 1',
  ],
  [
    'an unknown lifetime',
    (o) => ({ ...o, lifetimes: { idToken: 60 } }),
    'unknown option "lifetimes.idToken"; valid options: authorizationCode, accessToken, ',
  ],
];

describe('createCampus', () => {
  test.each(rows)('%s is a TypeError that names it', (_name, change, message) => {
    const options = change(good());
    // Reflect.apply: the types would refuse what plain JavaScript can pass.
    expect(() => Reflect.apply(createCampus, undefined, [options])).toThrow(TypeError);
    expect(() => Reflect.apply(createCampus, undefined, [options])).toThrow(message);
  });

  test('accepts valid options and does not mutate them', async () => {
    const options = good();
    const before = structuredClone({ keys: options.keys, clients: options.clients });
    const campus = createCampus(options);
    expect({ keys: options.keys, clients: options.clients }).toEqual(before);
    await campus.close();
  });

  test('accepts frozen options', async () => {
    const options = good();
    Object.freeze(options.keys.signing);
    Object.freeze(options.keys);
    await createCampus(Object.freeze(options)).close();
  });

  test.each<[string, object]>([
    ['with a secret and a loopback address', { clientSecret: 'a-secret' }],
    ['with fixed https callbacks', { redirectUris: ['https://app.example/a', 'https://app.example/b'] }],
  ])('accepts a first-party client %s', async (_what, change) => {
    await createCampus({ ...good(), clients: [{ ...testClients[0], firstParty: true, ...change }] }).close();
  });

  test('accepts keys that are only published', async () => {
    const options = good();
    await createCampus({ ...options, keys: { ...options.keys, signing: [] } }).close();
  });
});
