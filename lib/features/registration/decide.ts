import { unusedRegistrationLifetime } from '../../core/clients/registration-lifetime.ts';
import type { Parts } from '../parts.ts';
import { randomBytes } from 'node:crypto';
import { refusals } from '../../core/access/who-can-change.ts';
import { clientUse } from '../../core/access/used-client.ts';
import type { Access } from '../../core/access/access.ts';
import type { ClientMetadata } from '../../records/codec.ts';
import type { ClientFinder } from '../../core/clients/client-finder.ts';
import type { RegistrationPolicy, RegistrationRequest } from './domain/registration-policy.ts';
import type { RegisteredClientMetadata } from '../../core/clients/registered-metadata.ts';
import type { AppInfo } from '../../core/clients/client.ts';
import { InvalidClientMetadata, OAuthError } from '../../kernel/errors.ts';
import { checkRedirectUri } from '../../core/clients/redirect-uri.ts';
import { type ScopeCatalogue, splitScope } from '../../core/scopes/scopes.ts';
import type { Enabled } from '../../core/enabled/enabled.ts';

export type RegistrationDecision =
  | { readonly outcome: 'known'; readonly policy: string; readonly clientId: string }
  | {
      readonly outcome: 'admitted';
      readonly policy: string;
      readonly clientId: string;
      readonly metadata: Omit<RegisteredClientMetadata, 'grant_types'> & { readonly grant_types: readonly string[] };
      /** Lifetime in seconds, unless a member authorizes the client. */
      readonly ttl: number;
      readonly app: AppInfo | undefined;
    }
  | { readonly outcome: 'refused'; readonly policy: string | undefined; readonly error: OAuthError };

export interface RegistrationRules {
  readonly catalogue: ScopeCatalogue;
  readonly enabled: Enabled;
  readonly registrationPolicies: readonly RegistrationPolicy[];
  readonly clients: ClientFinder;
  readonly access: Access;
}

export function rulesFrom({ settings, policies, core }: Parts): RegistrationRules {
  return {
    catalogue: settings.catalogue,
    enabled: settings.enabled,
    clients: core.clients.find,
    access: core.access,
    registrationPolicies: policies.registration,
  };
}

/** Anyone can register, so what is stored must be bounded. */
const maxMetadataCharacters = 4096;

/**
 * What the policies decide, unless the school has blocked the app. Roles, approvals and the policies of `access` are for people, and nobody
 * knows yet who connects it: the consent page asks.
 */
export async function decideRegistration(
  rules: RegistrationRules,
  request: RegistrationRequest,
): Promise<RegistrationDecision> {
  const decision = await decideByPolicies(rules, request);
  if (decision.outcome === 'refused') return decision;
  const { site } = request;
  const client =
    decision.outcome === 'known'
      ? await rules.clients(site.id, decision.clientId, 'identify')
      : clientToBe(decision.clientId, decision.app);
  if (!client) return decision;
  const asked = { site, client: clientUse(client), member: undefined, scopes: [], at: 'connect' } as const;
  if ((await rules.access.permit(asked)).refused?.refusal !== 'client_blocked') return decision;
  const error = new InvalidClientMetadata(refusals.client_blocked);
  return { outcome: 'refused', policy: decision.policy, error };
}

/** What decides whether the app is blocked. */
function clientToBe(clientId: string, app: AppInfo | undefined): ClientMetadata {
  const client = { client_id: clientId, campus_source: 'registered', campus_audience: 'operator' } as const;
  return { ...client, ...(app && { campus_app: { ...app } }) };
}

/** The first verdict wins; without one, the last policy with a `refusal` refuses. Specification: Registration rules 1 and 2. */
async function decideByPolicies(
  { registrationPolicies: policies, catalogue, enabled }: RegistrationRules,
  request: RegistrationRequest,
): Promise<RegistrationDecision> {
  const asked = { ...request, scopes: catalogue.rows };
  for (const policy of policies) {
    try {
      const verdict = await policy.decide(asked);
      if (verdict?.decision === 'known') return { outcome: 'known', policy: policy.name, clientId: verdict.clientId };
      if (verdict?.decision === 'admit') {
        const { metadata: own, ttl, app } = verdict;
        checkAdmitted(policy.name, own, catalogue);
        const wanted = enabled.registered.filter((name) => request.metadata.grant_types?.includes(name));
        const metadata = { ...own, grant_types: [...own.grant_types, ...wanted] };
        const clientId = `reg-${randomBytes(16).toString('base64url')}`;
        return {
          outcome: 'admitted',
          policy: policy.name,
          clientId,
          metadata,
          ttl: ttl ?? unusedRegistrationLifetime,
          app,
        };
      }
    } catch (error) {
      if (!(error instanceof OAuthError) || error.status >= 500) throw error;
      return { outcome: 'refused', policy: policy.name, error };
    }
  }
  const last = policies.findLast((policy) => policy.refusal !== undefined);
  const error =
    last?.refusal?.(asked) ??
    new InvalidClientMetadata(
      'this school does not allow this client to register; ask an administrator of the school for a client_id',
    );
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
