/** @throws Error that says what to do, unless this is a test or the caller says that it is fine */
export function refuseOutsideTests(what: string, isAllowed: boolean | undefined): void {
  const { NODE_ENV: environment } = process.env;
  if (environment === 'test' || isAllowed === true) return;
  throw new Error(
    `${what}, so it refuses unless NODE_ENV is "test"; it is ${environment === undefined ? 'not set' : JSON.stringify(environment)}. Start the tests with NODE_ENV=test, which Jest and Vitest set and node --test does not, or pass allowOutsideTests: true`,
  );
}
