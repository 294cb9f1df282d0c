import * as z from 'zod';
import type { RegistrationSettings } from './option.ts';
import type { RegistrationPolicy } from './registration-policy.ts';
import { OAuthError } from '../../../kernel/errors.ts';
import { whole } from '../../../kernel/option-schemas.ts';
import type { OnFault } from '../../../observe/events.ts';
import { appSchema } from '../../../core/known-apps/app-field.ts';
import { clientMetadata } from '../../../core/clients/registered-metadata.ts';
import { syncWrapper, verdictOf, named } from '../../../host/policy-verdicts.ts';
import { faultWrapper } from '../../../observe/faults-to-503.ts';
import { checkReturn } from '../../../host/check-returns.ts';

const registrationVerdict = verdictOf('"known" or "admit"; throw an OAuthError to refuse', [
  z.object({ decision: z.literal('known'), clientId: z.string() }),
  z.object({
    decision: z.literal('admit'),
    metadata: clientMetadata,
    ttl: whole('whole number of seconds', 1, 1e9).nullish(),
    app: appSchema.extend({ verified: z.boolean() }).nullish(),
  }),
]).nullish();

const isRefusal = (value: unknown): boolean => value instanceof OAuthError;
const refusal = z.custom(isRefusal, 'be an OAuthError');

/** An `OAuthError` that a registration policy throws is its refusal, everything else a fault. */
function wrapped(policies: readonly RegistrationPolicy[], onFault: OnFault): RegistrationPolicy[] {
  const [wrap, wrapSync] = [faultWrapper(onFault), syncWrapper(onFault)];
  return policies.map((policy, i) => {
    const place = `registration[${i}]`;
    const name = named(place, policy.name);
    const decide = wrap(place, async (request: Parameters<typeof policy.decide>[0]) => {
      try {
        return { verdict: checkReturn(name, registrationVerdict, await policy.decide(request)) ?? undefined };
      } catch (error) {
        if (error instanceof OAuthError) return { refusal: error };
        throw error;
      }
    });
    return {
      name: policy.name,
      clients: policy.clients,
      apps: policy.apps,
      ...(policy.refusal && { refusal: wrapSync(`${name}.refusal`, policy.refusal.bind(policy), refusal) }),
      decide: async (request) => {
        const { verdict, refusal: thrown } = await decide(request);
        if (thrown) throw thrown;
        return verdict;
      },
    };
  });
}

/** The policies of the host: what they return is checked, and their failures are reported as faults. */
export interface RegistrationPolicies {
  readonly registration: readonly RegistrationPolicy[];
}

export function registrationPolicies({ registration }: RegistrationSettings, onFault: OnFault): RegistrationPolicies {
  return { registration: wrapped(registration, onFault) };
}
