import type { DepartureMethods } from './departures/method-types.ts';
import type { LogoutMethods } from './logout/method-types.ts';
import type { RegistrationMethods } from './registration/method-types.ts';

/** What features add to `Campus`: types that hosts see, apart from what the methods are made of. */
export type FeatureMethods = DepartureMethods & RegistrationMethods & LogoutMethods;
