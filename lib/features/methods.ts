import { departureMethods, type DepartureMethods, type DepartureParts } from './departures/methods.ts';
import type { CheckMethods } from './feature-methods.ts';

/** What features add to `Campus`. */
export type FeatureMethods = DepartureMethods;

/** From what their methods are made. */
export type MethodParts = DepartureParts;

/** Their methods, each of which checks its arguments. */
export function featureMethods(parts: MethodParts, check: CheckMethods): FeatureMethods {
  return { ...departureMethods(parts, check) };
}
