import type { Incidents } from '../../core/apps/incidents.ts';

/** What it adds to `Campus`. */
export interface AppsMethods {
  /** Blocks an app at many schools, and gives the previous rules back. */
  readonly incidents: Incidents;
}

declare module '../feature-methods.ts' {
  interface FeatureMethods extends AppsMethods {}
}
