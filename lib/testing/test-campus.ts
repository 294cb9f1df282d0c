import { campusOf, settingsOf } from '../campus.ts';
import type { Member, PersonOf, SchoolOf, Site } from '../host/school-platform.ts';
import type { Campus } from '../public/campus.ts';
import type { NetworkExceptions } from '../core/outbound/network-exceptions.ts';
import type { CampusOptions } from '../options/options.ts';
import { flag, func, group, type Shape, text, whole } from '../kernel/option-schemas.ts';
import { readOptions } from '../kernel/validate.ts';
import { refuseOutsideTests } from './tests-only.ts';

/** Exceptions from the network rules for metadata documents. */
export interface TestOptions extends NetworkExceptions {
  /** Whether it works while `NODE_ENV` is not `test`. Never set it in a server that people use. @default false */
  readonly allowOutsideTests?: boolean | undefined;
}

const schema = group({
  resolve: func<NonNullable<TestOptions['resolve']>>().optional(),
  ca: text().optional(),
  allowPrivateAddresses: flag.default(false),
  port: whole('whole number', 1, 65_535).optional(),
  allowOutsideTests: flag.default(false),
} satisfies Shape<TestOptions>);

/**
 * `createCampus` with exceptions from the network rules for metadata documents, so that a test can serve them on this machine.
 *
 * For tests only: the exceptions turn protections off, so it throws unless `NODE_ENV` is `test` or `allowOutsideTests` is given.
 *
 * @throws TypeError that names a wrong option by its path
 */
export function createTestCampus<
  School extends Site = Site,
  Person extends Member = Member,
  Own extends string = never,
  Asked extends string = string,
>(
  options: CampusOptions<School, Person, Own, Asked>,
  exceptions: TestOptions,
): Campus<SchoolOf<School>, PersonOf<Person>>;
// Inside, a school is a `Site`, as in `createCampus`.
export function createTestCampus(options: CampusOptions, exceptions: TestOptions): Campus {
  const { allowOutsideTests, ...testing } = readOptions(schema, exceptions, 'createTestCampus.exceptions');
  refuseOutsideTests('createTestCampus turns protections off', allowOutsideTests);
  return campusOf({ ...settingsOf(options), testing });
}
