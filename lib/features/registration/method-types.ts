import type { RegistrationExplanation } from '../../core/clients/registered-metadata.ts';
import type { Site } from '../../host/school-platform.ts';

/** What registration adds to `Campus`. */
export interface RegistrationMethods {
  /** What registration would respond, which policy decided, and why; changes nothing. */
  explainRegistration(site: Site, body: unknown): Promise<RegistrationExplanation>;
}

declare module '../feature-methods.ts' {
  interface FeatureMethods extends RegistrationMethods {}
}
