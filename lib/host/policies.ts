import type { ConsentPolicy } from '../contracts/consent.ts';
import type { OnFault } from '../runtime/events.ts';
import type { RegistrationPolicy } from '../contracts/registration.ts';
import { OAuthError } from '../protocol/errors.ts';
import { faultWrapper } from './faults.ts';

/** The consent policies, with every rejection turned into `temporarily_unavailable`. */
export function wrapConsentPolicies(policies: readonly ConsentPolicy[], onFault: OnFault): ConsentPolicy[] {
  const guard = faultWrapper(onFault);
  return policies.map((policy, i) => guard(`consent[${i}]`, policy));
}

/** The registration policies: a thrown `OAuthError` is their refusal, everything else a fault. */
export function wrapRegistrationPolicies(
  policies: readonly RegistrationPolicy[],
  onFault: OnFault,
): RegistrationPolicy[] {
  const guard = faultWrapper(onFault);
  return policies.map((policy, i) => {
    const decide = guard(`registration[${i}]`, async (request: Parameters<typeof policy.decide>[0]) => {
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
