import type { AdmittedMetadata, RegistrationPolicy, RegistrationRequest } from '../contracts/registration.ts';
import { InvalidClientMetadata, OAuthError } from '../errors.ts';

/** What becomes of a registration, which policy said so, and why. */
export type RegistrationDecision =
  | { readonly outcome: 'known'; readonly policy: string; readonly clientId: string }
  | { readonly outcome: 'admitted'; readonly policy: string; readonly metadata: AdmittedMetadata; readonly ttl: number }
  | { readonly outcome: 'refused'; readonly policy: string | undefined; readonly error: OAuthError };

/** Seconds that a registration lives which nobody authorizes, where a policy says nothing. */
const defaultTtl = 24 * 60 * 60;

/**
 * Asks the policies in order: the first verdict wins, and where none has one the last that can refuse does. Changes
 * nothing. Specification: Registration rules 1 and 2.
 */
export async function decideRegistration(
  policies: readonly RegistrationPolicy[],
  request: RegistrationRequest,
): Promise<RegistrationDecision> {
  for (const policy of policies) {
    try {
      const verdict = await policy.decide(request);
      if (verdict?.decision === 'known') return { outcome: 'known', policy: policy.name, clientId: verdict.clientId };
      if (verdict?.decision === 'admit') {
        const { metadata, ttl = defaultTtl } = verdict;
        return { outcome: 'admitted', policy: policy.name, metadata, ttl };
      }
    } catch (error) {
      if (!(error instanceof OAuthError) || error.status >= 500) throw error;
      return { outcome: 'refused', policy: policy.name, error };
    }
  }
  const last = policies.findLast((policy) => policy.refusal !== undefined);
  const error = last?.refusal?.(request) ?? new InvalidClientMetadata('no registration policy admits this client');
  return { outcome: 'refused', policy: last?.name, error };
}
