import ordinary from '../../../jest.config.js';

/** The Member API's tests once more, on the oldest graphql that a host may bring. */
export default {
  ...ordinary,
  rootDir: '../../..',
  testMatch: ['<rootDir>/__tests__/member-api/**/*.test.ts'],
  moduleNameMapper: {
    '^graphql$': '<rootDir>/node_modules/graphql-16/index.js',
    '^graphql/(.*)$': '<rootDir>/node_modules/graphql-16/$1',
  },
};
