import type { ConsentPolicy } from '../contracts/consent.ts';
import type { MetadataDocumentPolicy, RegistrationPolicy } from '../contracts/registration.ts';
import { OAuthError } from '../protocol/errors.ts';
import type { OnFault } from '../runtime/events.ts';
import { faultWrapper } from './faults.ts';

export function wrapConsentPolicies(policies: readonly ConsentPolicy[], onFault: OnFault): ConsentPolicy[] {
  const wrap = faultWrapper(onFault);
  return policies.map((policy, i) => wrap(`consent[${i}]`, policy));
}

/** `reviewed`, which `ceiling` calls, may ask a database of the host. */
export function wrapDocumentPolicy(policy: MetadataDocumentPolicy, onFault: OnFault): MetadataDocumentPolicy {
  const wrap = faultWrapper(onFault);
  return {
    permits: policy.permits.bind(policy),
    checkDocument: policy.checkDocument.bind(policy),
    ceiling: wrap('metadataDocuments.ceiling', policy.ceiling.bind(policy)),
  };
}

/** An `OAuthError` that a registration policy throws is its refusal, everything else a fault. */
export function wrapRegistrationPolicies(
  policies: readonly RegistrationPolicy[],
  onFault: OnFault,
): RegistrationPolicy[] {
  const wrap = faultWrapper(onFault);
  return policies.map((policy, i) => {
    const decide = wrap(`registration[${i}]`, async (request: Parameters<typeof policy.decide>[0]) => {
      try {
        return { verdict: await policy.decide(request) };
      } catch (error) {
        if (error instanceof OAuthError) return { refusal: error };
        throw error;
      }
    });
    return {
      name: policy.name,
      clients: policy.clients,
      ...(policy.refusal && { refusal: policy.refusal.bind(policy) }),
      decide: async (request) => {
        const { verdict, refusal } = await decide(request);
        if (refusal) throw refusal;
        return verdict;
      },
    };
  });
}
