import type { RegisteredClientMetadata, RegistrationPolicy, RegistrationRequest } from '../contracts/registration.ts';
import { InvalidClientMetadata, OAuthError } from '../protocol/errors.ts';
import { checkRedirectUri } from '../protocol/redirect-uri.ts';
import { mayHave, splitScope } from '../protocol/scopes.ts';

/** The outcome of a registration and the policy that decided it. */
export type RegistrationDecision =
  | { readonly outcome: 'known'; readonly policy: string; readonly clientId: string }
  | {
      readonly outcome: 'admitted';
      readonly policy: string;
      readonly metadata: RegisteredClientMetadata;
      readonly ttl: number;
    }
  | { readonly outcome: 'refused'; readonly policy: string | undefined; readonly error: OAuthError };

/** Maximum length of the stored metadata in characters. Anyone can register, so it must be bounded. */
const maxMetadata = 4096;

const tooLong = new InvalidClientMetadata(
  `the metadata has more than ${maxMetadata} characters; register fewer or shorter redirect_uris`,
);

/** Default lifetime, in seconds, of a registration that is never authorized. */
const defaultTtl = 24 * 60 * 60;

/**
 * Asks the policies in order; the first verdict wins. Without one, the last policy that has a `refusal` refuses. Writes
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
        checkAdmitted(policy.name, metadata);
        if (JSON.stringify(metadata).length > maxMetadata) throw tooLong;
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

/**
 * No policy may admit a scope that is reserved to member clients or an invalid redirect URI. Specification: Registration
 * rules 6.
 *
 * @throws TypeError, since the policy is wrong and not the client
 */
function checkAdmitted(policy: string, { scope, redirect_uris: uris }: RegisteredClientMetadata): void {
  for (const name of splitScope(scope)) {
    if (!mayHave('operator', name)) {
      throw new TypeError(`${policy} admitted a client with the scope ${name}, which operator clients must not have`);
    }
  }
  for (const uri of uris) {
    const wrong = checkRedirectUri(uri, { https: true, loopback: true, localhost: true, privateUse: true });
    if (wrong !== undefined) throw new TypeError(`${policy} admitted the redirect URI ${uri}, which ${wrong}`);
  }
}
