import type { DepartureMethods } from './departures/campus.ts';
import type { RegistrationMethods } from './registration/campus.ts';

/** What features add to `Campus`: types that hosts see, apart from what the methods are made of. */
export type FeatureMethods = DepartureMethods & RegistrationMethods;
