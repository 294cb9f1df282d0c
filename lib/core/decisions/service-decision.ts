import type { Site } from '../../host/school-platform.ts';
import type { ClientMetadata } from '../../records/codec.ts';
import type { Scope, ScopeCatalogue } from '../scopes/scopes.ts';
import { askConsentPolicies, type PolicySources, type ServicePurpose } from './consent-policy.ts';
import { type Decision, decide } from './decide.ts';
import type { AllowedService } from './service-allowance.ts';

interface ServiceQuestion {
  readonly site: Site;
  readonly client: ClientMetadata;
  /** By its secret and scopes, by the platform, and by rules. */
  readonly allowed: AllowedService;
  readonly requested: readonly Scope[];
  readonly purpose: ServicePurpose;
}

/** What a service gets with a new token. What it may do with one that it has, `serviceAllowance` says at each use. */
export type ServiceDecision = (question: ServiceQuestion) => Promise<Decision>;

export function serviceDecision(
  policies: PolicySources,
  { catalogue }: { readonly catalogue: ScopeCatalogue },
): ServiceDecision {
  return ({ site, client, allowed, requested, purpose }) =>
    decide({
      catalogue,
      access: 'permitted',
      allowed,
      requested,
      vouched: true,
      policies: async (scopes) => {
        const { service } = allowed;
        // What is refused is refused without a policy.
        if (!service) return { scopes, denied: false, texts: [] };
        return askConsentPolicies(policies, { site, service, metadata: client, scopes, purpose });
      },
    });
}
