import type { RegistrationMetadata } from '../../core/clients/registered-metadata.ts';
import type { Site } from '../../host/school-platform.ts';
import { OAuthError } from '../../kernel/errors.ts';
import { type Finding, finder } from '../../kernel/finding.ts';
import type { Settings } from '../../options/options.ts';
import { simulatedClients } from '../../simulated-clients/known-clients.ts';
import type { RegistrationPolicy, RegistrationRequest } from './domain/registration-policy.ts';

export const registrationFindings = {
  /** An earlier policy decides every registration that this policy would decide. Checked with the registrations of known apps. */
  'registration-shadowed': ['warning', 'move the policy that is never reached to the front, or remove it'],
  /** A registration policy throws an error that is not an `OAuthError`. */
  'registration-failing': ['error', 'repair the policy. Registrations that it decides get 503'],
} as const;

const found = finder<keyof typeof registrationFindings>(registrationFindings);

/** What known apps post, and what a policy itself gives as an example. */
function probes(policies: readonly RegistrationPolicy[]): RegistrationMetadata[] {
  const apps = simulatedClients.flatMap(({ registration }) => registration ?? []);
  const clients = [...apps, ...policies.flatMap((policy) => policy.clients ?? [])];
  return [
    ...clients.map(({ clientName, redirectUris }) => ({ client_name: clientName, redirect_uris: redirectUris })),
    ...policies.flatMap(({ guide }) => guide?.example ?? []),
  ];
}

/** Policies that have a verdict only where an earlier one decides. */
export async function policyFindings(
  policies: readonly RegistrationPolicy[],
  { catalogue }: Settings,
  site: Site,
): Promise<Finding[]> {
  const shadowedBy = policies.map(() => new Set<string>());
  const decides = policies.map(() => false);
  const failures = new Map<string, string>();
  for (const metadata of probes(policies)) {
    let first: number | undefined;
    for (const [i, policy] of policies.entries()) {
      // It would be a fault each time.
      if (failures.has(policy.name)) continue;
      const outcome = await verdictOf(policy, { site, metadata, scopes: catalogue.rows });
      if (outcome instanceof Error) failures.set(policy.name, outcome.message);
      if (outcome === 'none' || outcome instanceof Error) continue;
      first ??= i;
      const winner = policies[first];
      if (first === i) decides[i] = true;
      else if (winner && outcome === 'verdict') shadowedBy[i]?.add(winner.name);
    }
  }
  return [
    ...[...failures].map(([name, message]) => found('registration-failing', `${name} throws: ${message}`)),
    ...policies.flatMap(({ name }, i) => {
      const winners = [...(shadowedBy[i] ?? [])];
      if (decides[i] || winners.length === 0) return [];
      return [found('registration-shadowed', `${name} never decides, because ${winners.join(', ')} decides before it`)];
    }),
  ];
}

async function verdictOf(
  policy: RegistrationPolicy,
  request: RegistrationRequest,
): Promise<'verdict' | 'refusal' | 'none' | Error> {
  try {
    return (await policy.decide(request)) ? 'verdict' : 'none';
  } catch (error) {
    if (error instanceof OAuthError && error.status < 500) return 'refusal';
    return error instanceof Error ? error : new Error(String(error));
  }
}
