import { filesWithoutServers, filesWithProperties } from './scripts/test-files.mjs';

/** Jest strips the types itself, through Node's own stripper, from files that no transform claims. */
const common = {
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
  // Where Jest looks for tests; it takes modules from anywhere.
  roots: ['<rootDir>/__tests__'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {},
};

/**
 * Installs of the tarball, the site of the documentation, screenshots, programs for developers, a pooler that is downloaded, and
 * axe-core on each page in the second language: it has the elements and colors of the first.
 */
const ofReleases = [
  '**/__tests__/package/*.test.ts',
  '**/__tests__/pages/browser/axe-traditional-chinese.test.ts',
  '**/__tests__/unit/bench-arguments.test.ts',
  '**/__tests__/stores/sql/pgbouncer.test.ts',
  // Two releases side by side.
  '**/__tests__/upgrade/*.test.ts',
];

/** Everything else, on the store in memory and the latest graphql. */
const memory = {
  ...common,
  displayName: 'memory',
  testMatch: ['**/__tests__/**/*.test.ts', ...ofReleases.map((pattern) => `!${pattern}`)],
};

/** With Redis where tests use the store in memory. */
const onRedis = {
  ...common,
  moduleNameMapper: { '/adapters/memory/index\\.ts$': '<rootDir>/__tests__/stores/redis/again/memory-store.ts' },
  globalSetup: '<rootDir>/__tests__/stores/redis/again/start.ts',
  globalTeardown: '<rootDir>/__tests__/stores/redis/again/stop.ts',
};

/** With a SQL store where tests use the store in memory. */
const onPostgres = {
  ...common,
  moduleNameMapper: { '/adapters/memory/index\\.ts$': '<rootDir>/__tests__/stores/sql/again/postgres.ts' },
  globalSetup: '<rootDir>/__tests__/stores/sql/again/start.ts',
  globalTeardown: '<rootDir>/__tests__/stores/sql/again/stop.ts',
};
const onSqlite = {
  ...common,
  moduleNameMapper: { '/adapters/memory/index\\.ts$': '<rootDir>/__tests__/stores/sql/again/sqlite.ts' },
};

/** The flows that depend on how a store orders, redeems, revokes, counts and expires. */
const flowsOfTheStore = [
  '**/__tests__/oauth/{token-races,assertion-races,token-refresh,token-expiry,refresh-limit,revoke,removed-client}.test.ts',
  '**/__tests__/oauth/{concurrent-consents,half-done,session,devices,consent,narrowed-consent}.test.ts',
  '**/__tests__/oauth/{blocked-clients,first-party,cross-school,cross-school-calls,rate-limit-shares}.test.ts',
  '**/__tests__/oauth/{authorize-quotas,spray,registration,applications,introspect,whole-flow,service-clients,device-races}.test.ts',
  '**/__tests__/metadata-documents/{clients,reviews,unreachable}.test.ts',
  '**/__tests__/telemetry/attributes.test.ts',
];

const redis = { ...onRedis, displayName: 'redis', testMatch: flowsOfTheStore };

/** Those of them in which a SQL store is most likely to differ; a release runs all. */
const flowsOnSql = [
  '**/__tests__/oauth/{token-races,assertion-races,token-refresh,revoke,devices,narrowed-consent,refresh-limit,device-races}.test.ts',
  '**/__tests__/telemetry/attributes.test.ts',
];
const postgres = { ...onPostgres, displayName: 'postgres', testMatch: flowsOnSql };
const sqlite = { ...onSqlite, displayName: 'sqlite', testMatch: flowsOnSql };

/** The Member API's tests once more, on the oldest graphql that a host may bring. */
const graphql16 = {
  ...common,
  displayName: 'graphql-16',
  testMatch: ['**/__tests__/member-api/**/*.test.ts'],
  moduleNameMapper: {
    '^graphql$': '<rootDir>/node_modules/graphql-16/index.js',
    '^graphql/(.*)$': '<rootDir>/node_modules/graphql-16/$1',
  },
};

/**
 * Chance would show first where Redis fails, requests or processes race, or a person's keys race with a page. These are the ten
 * longest files of that kind that take less than 10 seconds: twenty runs of the longer ones do not fit into a release job.
 */
const repeated = [
  '**/__tests__/stores/redis/{races,consent-races,failover,circuit-cluster}.test.ts',
  '**/__tests__/oauth/{token-races,concurrent-consents,cross-school-calls,slow-store,spray}.test.ts',
  '**/__tests__/pages/browser/keyboard.test.ts',
];

/** Their rounds and rows are many when a release runs them. */
const sqlOfReleases = ['**/__tests__/stores/sql/races.test.ts'];

/** What `npm run test:release` adds: its own files, the other flows on Redis, all of them on SQL, and twenty runs of what is repeated. */
const release = [
  { ...common, displayName: 'release', testMatch: ofReleases },
  {
    ...onRedis,
    displayName: 'redis',
    testMatch: ['**/__tests__/{oauth,conformance}/**/*.test.ts', ...flowsOfTheStore.map((pattern) => `!${pattern}`)],
  },
  { ...onPostgres, displayName: 'postgres', testMatch: [...flowsOfTheStore, ...sqlOfReleases] },
  { ...onSqlite, displayName: 'sqlite', testMatch: flowsOfTheStore },
  ...Array.from({ length: 20 }, (_, i) => ({ ...common, displayName: `repeat ${i + 1}`, testMatch: repeated })),
];

const only = (displayName, files) => [{ ...common, displayName, testMatch: files }];

/** The projects of each set that `scripts/test.mjs` runs. */
const sets = {
  all: () => [memory, redis, postgres, sqlite, graphql16],
  fast: () => only('fast', filesWithoutServers(common.rootDir)),
  random: () => only('random', filesWithProperties(common.rootDir)),
  release: () => release,
};

export default {
  // One more than Jest takes on two cores: most tests wait for a server, Redis or the browser.
  maxWorkers: 2,
  // A file's modules stay in memory after it: a worker that has run many is replaced, also if it is the only one.
  workerIdleMemoryLimit: '1GB',
  // Nothing measures time against it: a busy machine may be slow.
  testTimeout: 60_000 * Number(process.env['PROPERTY_FACTOR'] ?? 1),
  collectCoverageFrom: ['{lib,adapters,policies}/**/*.ts'],
  projects: sets[process.env['CAMPUS_TESTS'] ?? 'all'](),
};
