/** Jest strips the types itself, through Node's own stripper, from files that no transform claims. */
export default {
  testEnvironment: 'node',
  // One more than Jest takes on two cores: most tests wait for a server, Redis or the browser.
  maxWorkers: 2,
  // Nothing measures time against it: a busy machine may be slow.
  testTimeout: 20_000,
  roots: ['<rootDir>'],
  testMatch: ['<rootDir>/__tests__/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/tools/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {},
  collectCoverageFrom: ['{lib,adapters,policies}/**/*.ts'],
};
