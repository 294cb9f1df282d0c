import { hourlyLimitSchema } from '../../kernel/hourly-limit.ts';
import type { Feature } from '../feature.ts';
import { rulesFrom } from './decide.ts';
import { policiesOf, registrationOption } from './domain/option.ts';
import { registrationPolicies } from './domain/wrapped-policies.ts';
import { registeredWays } from './domain/ways-in.ts';
import { registrationMethods } from './methods.ts';
import { registrationDescription } from './describe.ts';
import { registrationExamples } from './examples.ts';
import { policyFindings, registrationFindings } from './diagnose.ts';
import { explainRegistration, registrationRoute } from './route.ts';

/** Clients that register themselves. RFC 7591. */
export const registration: Feature = {
  option: 'registration',
  options: registrationOption,
  clientPolicies: policiesOf,
  policies: registrationPolicies,
  waysIn: ({ registration: policies }) => registeredWays(policies),
  methods: (parts, { method }) => registrationMethods(parts, method),
  limits: { registrations: hourlyLimitSchema.prefault({ perAddress: 60, perSite: 600 }) },
  findings: registrationFindings,
  routes: (parts) => [
    registrationRoute({
      rules: rulesFrom(parts),
      store: parts.core.records.store,
      onAudit: parts.core.audit.onAudit,
      limit: parts.core.limits.limiter('registrations'),
    }),
  ],
  described: registrationDescription,
  examples: registrationExamples,
  diagnose: ({ policies, settings }, site) => policyFindings(policies.registration, settings, site),
  explain: explainRegistration,
};
