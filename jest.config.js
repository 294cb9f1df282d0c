/** Jest strips the types itself, through Node's own stripper, from files that no transform claims. */
const common = {
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/tools/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {},
};

/** Everything, on the store in memory and the latest graphql. */
const memory = {
  ...common,
  displayName: 'memory',
  testMatch: ['<rootDir>/__tests__/**/*.test.ts'],
  testPathIgnorePatterns: ['<rootDir>/__tests__/package/'],
};

/** With Redis where tests use the store in memory. */
const onRedis = {
  ...common,
  moduleNameMapper: { '/adapters/memory/index\\.ts$': '<rootDir>/__tests__/stores/redis/again/memory-store.ts' },
  globalSetup: '<rootDir>/__tests__/stores/redis/again/start.ts',
  globalTeardown: '<rootDir>/__tests__/stores/redis/again/stop.ts',
};

/** The flows that depend on how a store orders, redeems, revokes, counts and expires. */
const flowsOfTheStore = [
  '**/__tests__/oauth/{token-races,token-refresh,token-expiry,refresh-limit,revoke,removed-client}.test.ts',
  '**/__tests__/oauth/{concurrent-consents,half-done,session,devices,consent,narrowed-consent}.test.ts',
  '**/__tests__/oauth/{blocked-clients,first-party,cross-school,cross-school-calls,rate-limit-shares}.test.ts',
  '**/__tests__/oauth/{authorize-quotas,spray,registration,applications,introspect,whole-flow}.test.ts',
  '**/__tests__/metadata-documents/{clients,reviews,unreachable}.test.ts',
];

const redis = { ...onRedis, displayName: 'redis', testMatch: flowsOfTheStore };

/** The Member API's tests once more, on the oldest graphql that a host may bring. */
const graphql16 = {
  ...common,
  displayName: 'graphql-16',
  testMatch: ['<rootDir>/__tests__/member-api/**/*.test.ts'],
  moduleNameMapper: {
    '^graphql$': '<rootDir>/node_modules/graphql-16/index.js',
    '^graphql/(.*)$': '<rootDir>/node_modules/graphql-16/$1',
  },
};

/** What `npm run test:release` adds: installs of the tarball, and the other flows on Redis. */
const release = [
  { ...common, displayName: 'package', testMatch: ['<rootDir>/__tests__/package/*.test.ts'] },
  {
    ...onRedis,
    displayName: 'redis',
    testMatch: [
      '<rootDir>/__tests__/{oauth,conformance}/**/*.test.ts',
      ...flowsOfTheStore.map((pattern) => `!${pattern}`),
    ],
  },
];

export default {
  // One more than Jest takes on two cores: most tests wait for a server, Redis or the browser.
  maxWorkers: 2,
  // Nothing measures time against it: a busy machine may be slow.
  testTimeout: 20_000,
  collectCoverageFrom: ['{lib,adapters,policies}/**/*.ts'],
  projects: process.env['CAMPUS_TESTS'] === 'release' ? release : [memory, redis, graphql16],
};
