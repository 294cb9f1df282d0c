import type { RegistrationExplanation } from '../../core/clients/registered-metadata.ts';
import type { Site } from '../../host/school-platform.ts';

/** What registration adds to `Campus`. */
export interface RegistrationMethods {
  /** Returns the response that a registration would get, the policy that decided, and why. It only reads. */
  explainRegistration(site: Site, body: unknown): Promise<RegistrationExplanation>;
}

declare module '../feature-methods.ts' {
  interface FeatureMethods extends RegistrationMethods {}
}
