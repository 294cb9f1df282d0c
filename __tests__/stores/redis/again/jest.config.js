import ordinary from '../../../../jest.config.js';

/** The end-to-end and conformance tests again, with Redis instead of memory. */
export default {
  ...ordinary,
  rootDir: '../../../..',
  testMatch: [
    '<rootDir>/__tests__/{oauth,conformance}/**/*.test.ts',
    '<rootDir>/__tests__/metadata-documents/{clients,reviews,unreachable}.test.ts',
  ],
  moduleNameMapper: { '/adapters/memory/index\\.ts$': '<rootDir>/__tests__/stores/redis/again/memory-store.ts' },
  globalSetup: '<rootDir>/__tests__/stores/redis/again/start.ts',
  globalTeardown: '<rootDir>/__tests__/stores/redis/again/stop.ts',
};
