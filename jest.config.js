import { filesWithoutServers, filesWithProperties } from './scripts/test-files.mjs';

/** What a stranger does with the tarball. */
const ofThePackage = ['__tests__/package/{package,declarations,servers,runners,site}.test.ts'];

/** What only `npm run release:check` adds to that: other package managers, sizes, the workflows. */
const ofReleaseChecks = ['__tests__/package/{managers,contents,workflows}.test.ts'];

/**
 * Installs of the tarball, the site of the documentation, screenshots, scripts for contributors, programs for developers, a platform behind
 * nginx, a pooler that is downloaded, copies from each store to each other, and axe-core where a page has the elements and colors of one that `npm test` checks: in other languages, and
 * in the gallery.
 */
const ofReleases = [
  ...ofThePackage,
  '__tests__/package/{mcp-remote,production,resource-servers,screenshots,sign-in-clients}.test.ts',
  '__tests__/pages/browser/axe-{traditional-chinese,right-to-left,gallery}.test.ts',
  '__tests__/pages/browser/{gallery-mirrored,mock-ups,console,journeys-other-ways}.test.ts',
  '__tests__/unit/bench-arguments.test.ts',
  '__tests__/cli/script-help.test.ts',
  '__tests__/stores/sql/{copy,pgbouncer}.test.ts',
  // Servers that fail under load, and a cluster: seconds of waiting each.
  '__tests__/stores/redis/outages.test.ts',
  '__tests__/stores/contract-redis-cluster.test.ts',
  // Fifty processes.
  '__tests__/stores/sql/killed-log.test.ts',
  // A compilation of the house for each feature.
  '__tests__/features/removal.test.ts',
  // What `npm run house` prints: the coverage of every file, twice for each request.
  '__tests__/structure/walks.test.ts',
  // Releases side by side.
  '__tests__/upgrade/*.test.ts',
];

/** Chance would show first in these, so a release runs them five times and `npm test` does not. */
const repeatedOnly = ['__tests__/stores/redis/{failover,circuit-cluster}.test.ts'];

/** Jest strips the types itself, through Node's own stripper, from files that no transform claims. */
const common = {
  rootDir: import.meta.dirname,
  testEnvironment: '<rootDir>/scripts/jest/environment.mjs',
  // Where Jest looks for tests; it takes modules from anywhere.
  roots: ['<rootDir>/__tests__'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {},
};

/** A pattern for whole paths; some files come with theirs. */
const path = (pattern) => (pattern.startsWith('/') ? pattern : `**/${pattern}`);

/** Test files with what they run on: another store, or another graphql. */
const project = (displayName, include, { exclude = [], ...own } = {}) => ({
  ...common,
  displayName,
  testMatch: [...include.map(path), ...exclude.map((pattern) => `!${path(pattern)}`)],
  ...own,
});

/** Everything else, on the store in memory and the latest graphql. */
const memory = project('memory', ['__tests__/**/*.test.ts'], {
  exclude: [...ofReleases, ...ofReleaseChecks, ...repeatedOnly],
});

/** With Redis where tests use the store in memory. */
const onRedis = {
  moduleNameMapper: { '/adapters/memory/index\\.ts$': '<rootDir>/__tests__/stores/redis/again/memory-store.ts' },
  globalSetup: '<rootDir>/__tests__/stores/redis/again/start.ts',
  globalTeardown: '<rootDir>/__tests__/stores/redis/again/stop.ts',
};

/** With a SQL store where tests use the store in memory. */
const onPostgres = {
  moduleNameMapper: { '/adapters/memory/index\\.ts$': '<rootDir>/__tests__/stores/sql/again/postgres.ts' },
  globalSetup: '<rootDir>/__tests__/stores/sql/again/start.ts',
  globalTeardown: '<rootDir>/__tests__/stores/sql/again/stop.ts',
};
const onSqlite = {
  moduleNameMapper: { '/adapters/memory/index\\.ts$': '<rootDir>/__tests__/stores/sql/again/sqlite.ts' },
};

/** The flows in which a store can differ: it orders, redeems, revokes, counts and expires. */
const flowsOfTheStore = [
  '__tests__/oauth/{token-races,token-refresh,token-expiry,refresh-limit,refresh-lines,revoke,introspect}.test.ts',
  '__tests__/oauth/{concurrent-consents,narrowed-consent,consent,half-done,session,first-party,whole-flow}.test.ts',
  '__tests__/oauth/{cross-school,cross-school-calls,applications,devices,removed-client,blocked-clients}.test.ts',
  '__tests__/oauth/{authorize-quotas,rate-limit-shares,spray,permission-model}.test.ts',
  '__tests__/features/{device,private-key-jwt}/races.test.ts',
  '__tests__/features/dpop/{dpop,races}.test.ts',
  '__tests__/features/services/clients.test.ts',
  '__tests__/features/boundaries/{random-choices,demanded}.test.ts',
  '__tests__/features/registration/registration.test.ts',
  '__tests__/features/metadata-documents/{clients,reviews,unreachable}.test.ts',
  '__tests__/features/apps/{decisions,incidents}.test.ts',
  '__tests__/features/people/people.test.ts',
  '__tests__/features/departures/replay.test.ts',
  '__tests__/telemetry/attributes.test.ts',
];

/** On the oldest graphql that a host may bring. */
const onGraphql16 = {
  moduleNameMapper: {
    '^graphql$': '<rootDir>/node_modules/graphql-16/index.js',
    '^graphql/(.*)$': '<rootDir>/node_modules/graphql-16/$1',
  },
};

/**
 * Chance would show first in what waits for something outside of it: a name server over UDP, Redis or PostgreSQL that fails or
 * hangs, other processes, circuits, deadlines and clocks, requests that race. Five runs of these fit into a release job,
 * which takes about 10 minutes on two idle cores. `npm run test:clones` runs more.
 */
const repeated = [
  ...repeatedOnly,
  '__tests__/outbound/{resolver,fetcher,fetcher-addresses}.test.ts',
  '__tests__/features/metadata-documents/{refresher,shared-fetch,close}.test.ts',
  '__tests__/stores/redis/{races,faults,circuit,circuit-slots,attempts,durability,expiry}.test.ts',
  '__tests__/oauth/{token-races,concurrent-consents,cross-school-calls,slow-store}.test.ts',
  '__tests__/member-api/faults.test.ts',
];

/** Their rounds and rows are many when a release runs them. */
const sqlOfReleases = ['__tests__/stores/sql/races.test.ts'];

/** The projects of each set that `scripts/test.mjs` runs. */
const sets = {
  all: () => [memory],
  fast: () => [project('fast', filesWithoutServers(import.meta.dirname))],
  random: () => [project('random', filesWithProperties(import.meta.dirname))],
  // Its own files, the flows on each store, the Member API on the other graphql, and five runs of what is repeated.
  release: () => [
    project('release', ofReleases),
    project(
      'redis',
      ['__tests__/{oauth,features/!(metadata-documents|departures),conformance}/**/*.test.ts', ...flowsOfTheStore],
      onRedis,
    ),
    project('postgres', [...flowsOfTheStore, ...sqlOfReleases], onPostgres),
    project('sqlite', flowsOfTheStore, onSqlite),
    project('graphql-16', ['__tests__/member-api/**/*.test.ts'], onGraphql16),
    ...Array.from({ length: 5 }, (_, i) => project(`repeat ${i + 1}`, repeated)),
  ],
  package: () => [project('package', [...ofThePackage, ...ofReleaseChecks])],
};

// Jest gives its processes the flags that it was started with. They load modules into contexts.
process.execArgv.push('--experimental-vm-modules', '--disable-warning=ExperimentalWarning');
// Each file has functions of its own, which seldom run often enough to be worth V8's last and longest compilation.
process.execArgv.push('--max-opt=2');

// Most of the time of a program that a test starts is that of its modules, which then come from here.
process.env['NODE_COMPILE_CACHE'] ??= `${import.meta.dirname}/node_modules/.cache/compiled`;

export default {
  // One more than there are cores: most tests wait for a server, Redis or the browser.
  maxWorkers: 3,
  testSequencer: '<rootDir>/scripts/jest/sequencer.mjs',
  // A file's modules may stay in memory after it, so a process that has run many is replaced. A single file has a process, too.
  workerIdleMemoryLimit: '1GB',
  // Nothing measures time against it: a machine may be so busy that half a minute takes two.
  testTimeout: 180_000 * Number(process.env['PROPERTY_FACTOR'] ?? 1),
  projects: sets[process.env['CAMPUS_TESTS'] ?? 'all'](),
};
