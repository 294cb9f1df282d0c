import type { Member, Site } from '../../host/school-platform.ts';
import { audienceOf } from '../clients/client-metadata.ts';
import { askConsentPolicies } from '../decisions/consent-policy.ts';
import type { Scope } from '../scopes/scopes.ts';
import type { ConsentOptions } from './consent.ts';

/** What consent policies let a person approve of a client for the school; `undefined` for all of it. */
export type ApprovableScopes = (site: Site, member: Member, clientId: string) => Promise<readonly Scope[] | undefined>;

/**
 * The same question as on the consent page, for the pages on which administrators approve. It decides on no connection: an approval is what the next
 * decision is made from, so a rule or an approval in force must not narrow it.
 */
export function approvableScopes(consenting: ConsentOptions): ApprovableScopes {
  const { findStored } = consenting.core.clients;
  return async (site, member, clientId) => {
    const metadata = consenting.consent.length === 0 ? undefined : await findStored(site.id, clientId, 'identify');
    if (!metadata) return undefined;
    const asked = consenting.catalogue.of(metadata.campus_source === 'document' ? 'operator' : audienceOf(metadata));
    const question = { site, member, metadata, scopes: asked, purpose: 'approve' } as const;
    const { scopes } = await askConsentPolicies(consenting, question);
    return scopes.length === asked.length ? undefined : scopes;
  };
}
