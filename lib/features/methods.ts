import type { FeatureMethods } from './method-types.ts';
import { departureMethods, type DepartureParts } from './departures/methods.ts';
import { logoutMethods, type LogoutParts } from './logout/methods.ts';
import type { CheckMethod, CheckMethods } from './feature-methods.ts';
import type { RegistrationParts } from './registration/decide.ts';
import { registrationMethods } from './registration/methods.ts';

/** From what their methods are made. */
export type MethodParts = DepartureParts & RegistrationParts & LogoutParts;

/** Their methods, each of which checks its arguments. */
export function featureMethods(parts: MethodParts, check: CheckMethods, checkOne: CheckMethod): FeatureMethods {
  return {
    ...departureMethods(parts, check),
    ...registrationMethods(parts, checkOne),
    ...logoutMethods(parts, checkOne),
  };
}
