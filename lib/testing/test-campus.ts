import { type Campus, campusOf } from '../campus.ts';
import type { DocumentTesting } from '../contracts/registration.ts';
import { type CampusOptions, resolveOptions } from '../options/options.ts';

/**
 * `createCampus` with exceptions from the network rules for metadata documents, so that a test can serve them on this machine.
 * For tests only: see `issueTokens`.
 *
 * @throws TypeError that names a wrong option by its path
 */
export function createTestCampus(options: CampusOptions, testing: DocumentTesting): Campus {
  return campusOf({ ...resolveOptions(options), testing });
}
