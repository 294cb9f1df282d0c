/** @throws Error that says what to do, unless this is a test or the caller says that it is fine */
export function refuseOutsideTests(what: string, isAllowed: boolean | undefined): void {
  const { NODE_ENV: environment } = process.env;
  if (environment === 'test' || isAllowed === true) return;
  throw new Error(
    `${what}, so NODE_ENV must be "test", not ${environment === undefined ? 'unset' : JSON.stringify(environment)}; set it (node --test does not), or pass allowOutsideTests: true`,
  );
}
