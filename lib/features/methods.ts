import type { FeatureMethods } from './method-types.ts';
import { departureMethods, type DepartingParts, type DepartureParts } from './departures/methods.ts';
import { logoutMethods, type LogoutParts } from './logout/methods.ts';
import type { CheckMethod, CheckMethods } from './feature-methods.ts';
import type { RegistrationParts } from './registration/decide.ts';
import { registrationMethods } from './registration/methods.ts';

/** The managers of a school that they use. */
type SchoolMethodParts = DepartingParts;

/** From what their methods are made. */
type MethodParts = DepartureParts & RegistrationParts & LogoutParts;

/** Their methods, each of which checks its arguments. */
export function featureMethods(
  core: MethodParts,
  school: SchoolMethodParts,
  check: CheckMethods,
  checkOne: CheckMethod,
): FeatureMethods {
  return {
    ...departureMethods(core, school, check),
    ...registrationMethods(core, checkOne),
    ...logoutMethods(core, checkOne),
  };
}
