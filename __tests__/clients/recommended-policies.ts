import type { RegistrationPolicy } from '../../lib/index.ts';
import { loopbackClients, vendorPlatforms, wellKnownVendors } from '../../policies/index.ts';

/** Who may register, in the recommended configuration. */
export const registrationPolicies: readonly RegistrationPolicy[] = [
  vendorPlatforms(wellKnownVendors),
  loopbackClients(),
];
