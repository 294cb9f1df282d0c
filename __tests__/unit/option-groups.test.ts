import { afterAll, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { memoryStore } from '../../adapters/memory/index.ts';
import { redisStore } from '../../adapters/redis/index.ts';
import { memberDataMethods } from '../../lib/host/member-data.ts';
import { platformMethods } from '../../lib/host/school-platform.ts';
import { storeMethods } from '../../lib/records/store.ts';
import { type CampusKeys, type CampusOptions, createCampus, html, type SchoolPlatform } from '../../lib/index.ts';
import type { Store } from '../../lib/store.ts';
import { mcp } from '../../lib/mcp/index.ts';
import { memberApi } from '../../lib/member/index.ts';
import { settingsOf as resolveOptions } from '../../lib/campus.ts';
import { loopbackClients, metadataDocuments, vendorPlatforms, wellKnownVendors } from '../../policies/index.ts';
import { testClients } from '../helpers/clients.ts';
import { signingKey } from '../helpers/keys.ts';
import { testData } from '../member-api/data.ts';

const key = await signingKey('a');
const platform: SchoolPlatform = {
  findSite: () => undefined,
  signedInMember: () => undefined,
  signInUrl: () => '/sign-in',
  findMember: () => undefined,
};
const good: Omit<CampusOptions, 'keys'> & { readonly keys: CampusKeys } = {
  platform,
  store: memoryStore(),
  keys: { signing: [key], cookies: ['0123456789abcdef'] },
};

/** Plain JavaScript can pass anything. */
function call(reads: (given: never) => unknown, given: unknown): () => unknown {
  return () => Reflect.apply(reads, undefined, [given]);
}

function campusWith(change: object): () => unknown {
  return call(createCampus, { ...good, ...change });
}

const client = new Redis({ lazyConnect: true });
const campus = createCampus(good);
afterAll(async () => {
  client.disconnect();
  await campus.close();
});

describe('an unknown member is refused, with those that there are', () => {
  test.each<[string, () => unknown]>([
    ['unknown option "colour"; valid options: platform, store, keys, ', campusWith({ colour: 1 })],
    [
      'unknown option "platform.colour"; valid options: findSite, signedInMember, signInUrl, findMember, findService, roles, searchMembers, operatorRoles, adminRoles',
      campusWith({ platform: { ...platform, colour: 1 } }),
    ],
    [
      'unknown option "keys.colour"; valid options: signing, published, cookies',
      campusWith({ keys: { ...good.keys, colour: 1 } }),
    ],
    [
      'unknown option "clients[1].colour"; valid options: clientId, clientName, ',
      campusWith({ clients: [testClients[0], { ...testClients[1], colour: 1 }] }),
    ],
    [
      'unknown option "lifetimes.colour"; valid options: authorizationCode, accessToken, ',
      campusWith({ lifetimes: { colour: 1 } }),
    ],
    [
      'unknown option "limits.colour"; valid options: registrations, documents, userCodes, authorizations, anonymousCalls, tokenCalls',
      campusWith({ limits: { colour: 1 } }),
    ],
    [
      'unknown option "limits.registrations.perHuor"; valid options: perAddress, perSite',
      campusWith({ limits: { registrations: { perAddress: 1, perSite: 1, perHuor: 1 } } }),
    ],
    [
      'unknown option "limits.documents.perMember"; valid options: perAddress, perSite',
      campusWith({ limits: { documents: { perMember: 1 } } }),
    ],
    [
      'unknown option "limits.anonymousCalls.perMember"; valid options: perAddress, perSite',
      campusWith({ limits: { anonymousCalls: { perMember: 1 } } }),
    ],
    [
      'unknown option "limits.tokenCalls.perSite"; valid options: perMember',
      campusWith({ limits: { tokenCalls: { perSite: 1 } } }),
    ],
    ['unknown option "pages.colour"; valid options: developers, ', campusWith({ pages: { colour: 1 } })],
    ['unknown option "testing"; valid options: platform, ', campusWith({ testing: {} })],
    [
      'unknown option "requireAccess.colour"; valid options: scopes, anonymous',
      () => campus.requireAccess(Object({ colour: 1 })),
    ],
    [
      'unknown option "loopbackClients.locahost"; did you mean "loopbackClients.localhost"?',
      call(loopbackClients, { locahost: true }),
    ],
    [
      'unknown option "metadataDocuments.host"; did you mean "metadataDocuments.hosts"?',
      call(metadataDocuments, { host: [] }),
    ],
    [
      'unknown option "vendorPlatforms[0].colour"; valid options: clientId, ',
      call(vendorPlatforms, [{ ...wellKnownVendors[0], colour: 1 }]),
    ],
    [
      'unknown option "redisStore.options.colour"; valid options: prefix, deadline, maxPending, durability',
      () => redisStore(client, Object({ colour: 1 })),
    ],
    [
      'unknown option "redisStore.options.durability.colour"; valid options: replicas, timeout',
      () => redisStore(client, { durability: Object({ replicas: 1, timeout: 5, colour: 1 }) }),
    ],
  ])('%s', (message, reads) => {
    expect(reads).toThrow(TypeError);
    expect(reads).toThrow(message);
  });

  test('only a JSON Web Key may have members that are not in use here: RFC 7517 section 4', () => {
    const { keys } = resolveOptions({
      ...good,
      keys: { ...good.keys, signing: [Object({ ...key, key_ops: ['sign'] })] },
    });
    expect(Object.keys(('signing' in keys && keys.signing[0]) || {}).sort()).toEqual([
      'alg',
      'crv',
      'd',
      'kid',
      'kty',
      'use',
      'x',
      'y',
    ]);
  });
});

describe('a number out of its range is refused with the range and the unit', () => {
  const tenYears = 315_360_000;

  test.each<[string, number, number]>([
    ['authorizationCode', 1, 600],
    ['accessToken', 1, 86_400],
    ['refreshToken', 1, tenYears],
    ['grant', 1, tenYears],
    ['interaction', 1, 86_400],
    ['refreshGrace', 0, 600],
  ])('lifetimes.%s', (name, min, max) => {
    const message = `lifetimes.${name} must be a whole number of seconds, at least ${min} and at most ${max}`;
    for (const wrong of [min - 1, max + 1, min + 0.5, Number.NaN, Infinity, `${min}`, null]) {
      expect(campusWith({ lifetimes: { [name]: wrong } })).toThrow(new TypeError(message));
    }
    for (const fine of [min, max]) {
      expect(resolveOptions({ ...good, lifetimes: { [name]: fine } }).lifetimes).toHaveProperty(name, fine);
    }
  });

  test.each<[string, (value: number) => unknown, number]>([
    [
      'limits.registrations.perSite must be a whole number per hour, at least 0 and at most 1000000000',
      (perSite) => resolveOptions({ ...good, limits: { registrations: { perAddress: 1, perSite } } }),
      1_000_000_000,
    ],
    [
      'limits.tokenCalls.perMember must be a whole number per hour, at least 0 and at most 1000000000',
      (perMember) => resolveOptions({ ...good, limits: { tokenCalls: { perMember } } }),
      1_000_000_000,
    ],
    [
      'memberApi.limits.depth must be a whole number, at least 0 and at most 1000000',
      (depth) => memberApi({ limits: { depth } }),
      1_000_000,
    ],
    [
      'siteCache must be a whole number of seconds, at least 0 and at most 3600',
      (siteCache) => resolveOptions({ ...good, siteCache }),
      3600,
    ],
    [
      'loopbackClients.ttl must be a whole number of seconds, at least 1 and at most 31536000',
      (ttl) => loopbackClients({ ttl }),
      31_536_000,
    ],
    [
      'redisStore.options.deadline must be a whole number of milliseconds, at least 1 and at most 600000',
      (deadline) => redisStore(client, { deadline }),
      600_000,
    ],
    [
      'redisStore.options.durability.replicas must be a whole number, at least 1 and at most 100',
      (replicas) => redisStore(client, { durability: { replicas, timeout: 5 } }),
      100,
    ],
  ])('%s', (message, read, max) => {
    for (const wrong of [-1, max + 1, 0.5]) expect(() => read(wrong)).toThrow(new TypeError(message));
    expect(() => read(max)).not.toThrow();
  });
});

test.each<[string, (value: number) => unknown]>([
  ['memberApi.timeout', (timeout) => memberApi({ timeout })],
  ['mcp.toolTimeout', (toolTimeout) => mcp({ toolTimeout })],
])('%s may be a fraction of a second, and at most an hour', (path, read) => {
  const message = `${path} must be a number of seconds, more than 0 and at most 3600`;
  for (const wrong of [0, -1, 3601, Number.NaN, Infinity]) expect(() => read(wrong)).toThrow(new TypeError(message));
  for (const fine of [0.05, 3600]) expect(() => read(fine)).not.toThrow();
});

class ClassPlatform implements SchoolPlatform {
  readonly #path = '/sign-in';
  /** A field of its own, which a plain object would not be allowed to have. */
  readonly database = new Map<string, string>();
  readonly operatorRoles = ['head'];
  findSite(): undefined {
    return undefined;
  }
  signedInMember(): undefined {
    return undefined;
  }
  signInUrl(): string {
    return this.#path;
  }
  findMember(): undefined {
    return undefined;
  }
}

describe('an object of the host', () => {
  test('may be an instance of a class, with private fields and fields of its own', () => {
    const given = new ClassPlatform();
    const settings = resolveOptions({ ...good, platform: given });
    expect(settings.platform).toBe(given);
    expect(given.signInUrl()).toBe('/sign-in');
    expect([...settings.operatorRoles]).toEqual(['head']);
    expect(Object.isFrozen(given)).toBe(false);
  });

  test('may be a store that inherits its methods and has other members', () => {
    const base: Store = memoryStore();
    const given: Store = Object.assign(Object.create(base), { connection: 1 });
    expect(resolveOptions({ ...good, store: given }).store).toBe(given);
  });

  test('is the policy, the function and the template that was given', () => {
    class OwnPolicy {
      readonly name = 'own';
      readonly #admits = false;
      readonly colour = 'red';
      decide(): undefined {
        return this.#admits ? undefined : undefined;
      }
    }
    const policy = new OwnPolicy();
    const documents = metadataDocuments({ open: true });
    const access = () => undefined;
    const template = () => html``;
    const settings = resolveOptions({
      ...good,
      registration: [policy],
      metadataDocuments: documents,
      access: [access],
      pages: { template },
    });
    expect(settings.registration[0]).toBe(policy);
    expect(settings.metadataDocuments).toBe(documents);
    expect(settings.access[0]).toBe(access);
    expect(settings.pages.template).toBe(template);
  });

  test('may be a platform without a prototype, whose unknown members are refused, too', () => {
    const bare = Object.assign(Object.create(null), platform);
    expect(resolveOptions({ ...good, platform: bare }).platform).toBe(bare);
    expect(campusWith({ platform: Object.assign(Object.create(null), platform, { colour: 1 }) })).toThrow(
      'unknown option "platform.colour"; valid options: findSite, ',
    );
  });
});

describe('settings', () => {
  test('are frozen copies, and nothing that was given is frozen or changed', () => {
    const given = {
      ...good,
      keys: { signing: [{ ...key }], published: [], cookies: ['0123456789abcdef'] },
      clients: testClients.map((each) => ({
        ...each,
        redirectUris: each.redirectUris.map(String),
        scopes: [...each.scopes],
      })),
      lifetimes: { accessToken: 60 },
      limits: { tokenCalls: { perMember: 5 } },
      pages: { texts: { en: { 'connected.title': 'Gadgets' } }, sources: ['self'] },
    };
    const before = structuredClone({ ...given, platform: undefined, store: undefined });
    const settings = resolveOptions(given);
    // What is offered is made of tables of the house, not of what was given.
    const plain = {
      ...settings,
      platform: undefined,
      store: undefined,
      operatorRoles: undefined,
      adminRoles: undefined,
      enabled: undefined,
      fixedTexts: undefined,
    };
    expect(thawed(plain)).toEqual(['']);
    expect({ ...given, platform: undefined, store: undefined }).toEqual(before);
    expect([given, given.keys, given.keys.signing, given.clients, given.clients[0]].some(Object.isFrozen)).toBe(false);
    given.clients[0]?.redirectUris.push('https://late.example/');
    expect(settings.clients[0]?.redirectUris).not.toContain('https://late.example/');
  });

  test('have every default', () => {
    const { lifetimes, limits, pages, operatorRoles, clients } = resolveOptions(good);
    expect({ lifetimes, limits, clients, operatorRoles: [...operatorRoles] }).toEqual({
      lifetimes: {
        authorizationCode: 60,
        accessToken: 7200,
        refreshToken: 2_592_000,
        grant: 15_552_000,
        pendingSignIn: 900,
        interaction: 3600,
        refreshGrace: 30,
      },
      limits: {
        registrations: { perAddress: 60, perSite: 600 },
        documents: { perAddress: 60, perSite: 600 },
        authorizations: { perAddress: 1200, perSite: 6000 },
        userCodes: { perAddress: 600, perSite: 3000 },
        anonymousCalls: { perAddress: 3600, perSite: 36_000 },
        tokenCalls: { perMember: 3600 },
        memberCalls: { perMember: 3600 },
        pages: { perMember: 1200 },
        refreshes: { perFamily: 120 },
        assertions: { perClient: 10_000, failedPerAddress: 600, failedPerClient: 6000 },
      },
      clients: [],
      operatorRoles: ['owner', 'admin'],
    });
    expect(pages).toEqual({
      developers: '/developers/oauth-applications',
      yourApps: '/account/apps',
      apps: '/developers/apps',
      texts: {},
      sources: [],
    });
    expect(resolveOptions({ ...good, limits: false }).limits).toBe(false);
  });
});

/** The paths of what is not frozen. */
function thawed(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([name, member]) => thawed(member, `${path}.${name}`));
  return Object.isFrozen(value) ? inner : [path, ...inner];
}

describe('the first wrong option is named', () => {
  test.each<[string, unknown]>([
    ['options must be an object', undefined],
    ['options must be an object', null],
    ['options must be an object', Symbol('options')],
    ['options must be an object', []],
    ['platform must be an object', {}],
    ['platform must be an object', { platform: Symbol('platform') }],
    ['store must be a store', { platform }],
    ['keys must be an object', { platform, store: good.store }],
    ['platform.findSite must be a function', { ...good, platform: {}, store: {}, keys: {} }],
    ['store.find must be a function', { ...good, store: {}, keys: {} }],
    ['keys.signing must be an array', { ...good, keys: {}, clients: 5 }],
    ['clients[0].clientName must be', { ...good, clients: [{ ...testClients[0], clientName: 5, scopes: 5 }] }],
    ['lifetimes.accessToken must be', { ...good, lifetimes: { accessToken: 0, refreshGrace: -1 } }],
    ['limits must be an object, false, or a function of the school', { ...good, limits: true }],
    ['limits.documents.perSite must be a whole number', { ...good, limits: { documents: { perAddress: 1 } } }],
    ['lifetimes must be an object, or a function of the school', { ...good, lifetimes: 5 }],
  ])('%s', (message, options) => {
    expect(call(createCampus, options)).toThrow(TypeError);
    expect(call(createCampus, options)).toThrow(message);
  });
});

test('a getter that throws is a TypeError with its cause', () => {
  const cause = new Error('the database is away');
  const options = {
    ...good,
    get platform(): never {
      throw cause;
    },
  };
  expect(call(createCampus, options)).toThrow(
    new TypeError('options must be readable, but a getter threw an error', { cause }),
  );
});

test('the method list of a contract has every method of an implementation', () => {
  const lists = [[...storeMethods, 'sweep', 'readLog', 'writeLog'], platformMethods, memberDataMethods].map((names) =>
    [...names].sort(),
  );
  const implementations = [memoryStore(), platform, testData().data].map((methods) => Object.keys(methods).sort());
  expect(lists).toEqual(implementations);
});
