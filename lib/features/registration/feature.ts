import type { Feature } from '../feature.ts';
import { rulesFrom } from './decide.ts';
import { registrationDescription } from './describe.ts';
import { policyFindings } from './diagnose.ts';
import { explainRegistration, registrationRoute } from './route.ts';

/** Clients that register themselves. RFC 7591. */
export const registration: Feature = {
  key: { option: 'registration' },
  routes: (_interaction, parts) => [
    registrationRoute({
      rules: rulesFrom(parts),
      store: parts.records.store,
      onAudit: parts.audit.onAudit,
      limit: parts.limits.limiter('registrations'),
    }),
  ],
  described: registrationDescription,
  findings: ({ policies, settings }, site) => policyFindings(policies.registration, settings, site),
  explain: explainRegistration,
};
