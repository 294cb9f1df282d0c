import type { People } from '../../core/connections/people.ts';
import type { TakingOrigins } from '../../host/taking-origins.ts';

/** What it adds to `Campus`. */
export interface PeopleMethods {
  /** The people of a school, by what they have connected. */
  readonly people: TakingOrigins<People>;
}

declare module '../feature-methods.ts' {
  interface FeatureMethods extends PeopleMethods {}
}
