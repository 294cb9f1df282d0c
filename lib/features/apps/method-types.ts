import type { Incidents } from '../../core/apps/incidents.ts';

/** What it adds to `Campus`. */
export interface AppsMethods {
  /** Blocks of an app at many schools, and the way back. */
  readonly incidents: Incidents;
}

declare module '../feature-methods.ts' {
  interface FeatureMethods extends AppsMethods {}
}
