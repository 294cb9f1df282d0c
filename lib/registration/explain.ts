import type { Site } from '../contracts/platform.ts';
import type { RegistrationPolicy } from '../contracts/registration.ts';
import type { ClientFinder } from '../clients/finder.ts';
import { OAuthError, type OAuthErrorBody } from '../protocol/errors.ts';
import { decideRegistration } from './decide.ts';
import { responseFor, type RegistrationResponse } from './route.ts';
import { readMetadata } from './schema.ts';

/** What the registration endpoint would answer, and who says so. */
export interface RegistrationExplanation {
  readonly outcome: 'known' | 'admitted' | 'refused';
  /** The policy that decided; absent when the body was refused before any was asked, or none could refuse. */
  readonly policy?: string | undefined;
  /** HTTP status. */
  readonly status: number;
  /** The answer; the `client_id` of an admitted client is made up and not kept. */
  readonly body: RegistrationResponse | OAuthErrorBody;
}

/** Explains a registration without registering anything; limits are not counted. */
export async function explainRegistration(
  options: { readonly policies: readonly RegistrationPolicy[]; readonly clients: ClientFinder },
  site: Site,
  body: unknown,
): Promise<RegistrationExplanation> {
  let policy: string | undefined;
  try {
    const decision = await decideRegistration(options.policies, { site, metadata: readMetadata(body) });
    policy = decision.policy;
    const answer = await responseFor(options, site, decision);
    return { outcome: decision.outcome, policy, status: 201, body: answer };
  } catch (error) {
    if (!(error instanceof OAuthError) || error.status >= 500) throw error;
    return { outcome: 'refused', policy, status: error.status, body: error.toJSON() };
  }
}
