import type { Site } from '../contracts/platform.ts';
import type { RegistrationPolicy } from '../contracts/registration.ts';
import type { ClientFinder } from '../clients/finder.ts';
import { OAuthError, type OAuthErrorBody } from '../protocol/errors.ts';
import { decideRegistration } from './decide.ts';
import { responseFor, type RegistrationResponse } from './route.ts';
import { readMetadata } from './schema.ts';

/** The response that the registration endpoint would send, and the policy that decides it. */
export interface RegistrationExplanation {
  readonly outcome: 'known' | 'admitted' | 'refused';
  /** Name of the policy that decided. Absent if the body was refused before, or if no policy decided. */
  readonly policy?: string | undefined;
  /** HTTP status of the response. */
  readonly status: number;
  /** Body of the response. The `client_id` of an admitted client is random and not stored. */
  readonly body: RegistrationResponse | OAuthErrorBody;
}

/** Decides a registration without storing it and without consuming quota. */
export async function explainRegistration(
  options: { readonly policies: readonly RegistrationPolicy[]; readonly clients: ClientFinder },
  site: Site,
  body: unknown,
): Promise<RegistrationExplanation> {
  let policy: string | undefined;
  try {
    const decision = await decideRegistration(options.policies, { site, metadata: readMetadata(body) });
    policy = decision.policy;
    const response = await responseFor(options, site, decision);
    return { outcome: decision.outcome, policy, status: 201, body: response };
  } catch (error) {
    if (!(error instanceof OAuthError) || error.status >= 500) throw error;
    return { outcome: 'refused', policy, status: error.status, body: error.toJSON() };
  }
}
