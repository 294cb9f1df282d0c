import type { RegisteredClientMetadata, RegistrationPolicy, RegistrationRequest } from '../contracts/registration.ts';
import type { ProgramInfo } from '../contracts/client.ts';
import { InvalidClientMetadata, OAuthError } from '../protocol/errors.ts';
import { checkRedirectUri } from '../protocol/redirect-uri.ts';
import { type ScopeCatalogue, splitScope } from '../protocol/scopes.ts';

export type RegistrationDecision =
  | { readonly outcome: 'known'; readonly policy: string; readonly clientId: string }
  | ({ readonly outcome: 'admitted'; readonly policy: string } & AdmittedClient)
  | { readonly outcome: 'refused'; readonly policy: string | undefined; readonly error: OAuthError };

interface AdmittedClient {
  readonly metadata: RegisteredClientMetadata;
  /** Lifetime in seconds, unless a member authorizes the client. */
  readonly ttl: number;
  readonly program: ProgramInfo | undefined;
}

export interface RegistrationRules {
  readonly registrationPolicies: readonly RegistrationPolicy[];
  readonly catalogue: ScopeCatalogue;
}

/** Anyone can register, so what is stored must be bounded. */
const maxMetadataCharacters = 4096;

/** The first verdict wins; without one, the last policy with a `refusal` refuses. Specification: Registration rules 1 and 2. */
export async function decideRegistration(
  { registrationPolicies: policies, catalogue }: RegistrationRules,
  request: RegistrationRequest,
): Promise<RegistrationDecision> {
  const asked = { ...request, scopes: catalogue.rows };
  for (const policy of policies) {
    try {
      const verdict = await policy.decide(asked);
      if (verdict?.decision === 'known') return { outcome: 'known', policy: policy.name, clientId: verdict.clientId };
      if (verdict?.decision === 'admit') {
        const { metadata, ttl, program } = verdict;
        checkAdmitted(policy.name, metadata, catalogue);
        return { outcome: 'admitted', policy: policy.name, metadata, ttl: ttl ?? 24 * 60 * 60, program };
      }
    } catch (error) {
      if (!(error instanceof OAuthError) || error.status >= 500) throw error;
      return { outcome: 'refused', policy: policy.name, error };
    }
  }
  const last = policies.findLast((policy) => policy.refusal !== undefined);
  const error = last?.refusal?.(asked) ?? new InvalidClientMetadata('no registration policy admits this client');
  return { outcome: 'refused', policy: last?.name, error };
}

/** A wrong scope or redirect URI is a mistake of the policy, not of the client. Specification: Registration rules 6. */
function checkAdmitted(policy: string, metadata: RegisteredClientMetadata, catalogue: ScopeCatalogue): void {
  const { scope, redirect_uris: uris } = metadata;
  for (const name of splitScope(scope)) {
    if (!catalogue.mayHave('operator', name)) {
      throw new TypeError(`${policy} admitted a client with the scope ${name}, which operator clients must not have`);
    }
  }
  for (const uri of uris) {
    const wrong = checkRedirectUri(uri, { https: true, loopback: true, localhost: true, privateUse: true });
    if (wrong !== undefined) throw new TypeError(`${policy} admitted the redirect URI ${uri}, which ${wrong}`);
  }
  if (JSON.stringify(metadata).length > maxMetadataCharacters) {
    const text = `the metadata has more than ${maxMetadataCharacters} characters; register fewer or shorter redirect_uris`;
    throw new InvalidClientMetadata(text);
  }
}
