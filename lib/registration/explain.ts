import type { Site } from '../contracts/platform.ts';
import type { RegistrationExplanation } from '../contracts/registration.ts';
import type { ClientFinder } from '../clients/finder.ts';
import { OAuthError } from '../protocol/errors.ts';
import { decideRegistration, type RegistrationRules } from './decide.ts';
import { responseFor } from './route.ts';
import { readMetadata } from './schema.ts';

/** Decides a registration without storing it and without consuming quota. */
export async function explainRegistration(
  options: RegistrationRules & { readonly clients: ClientFinder },
  site: Site,
  body: unknown,
): Promise<RegistrationExplanation> {
  let policy: string | undefined;
  try {
    const decision = await decideRegistration(options, { site, metadata: readMetadata(body) });
    policy = decision.policy;
    const response = await responseFor(options, site, decision);
    return { outcome: decision.outcome, policy, status: 201, body: response };
  } catch (error) {
    if (!(error instanceof OAuthError) || error.status >= 500) throw error;
    return { outcome: 'refused', policy, status: error.status, body: error.toJSON() };
  }
}
