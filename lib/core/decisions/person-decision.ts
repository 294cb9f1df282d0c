import type { Member, Site } from '../../host/school-platform.ts';
import type { ClientMetadata } from '../../records/codec.ts';
import { clientInfo } from '../clients/client-metadata.ts';
import type { Scope, ScopeCatalogue } from '../scopes/scopes.ts';
import type { Allowed } from './allowance.ts';
import { askConsentPolicies, type PersonPurpose, type PolicySources } from './consent-policy.ts';
import { type Decision, decide } from './decide.ts';
import type { AccessRule } from './rights-by-role.ts';

export interface PersonQuestion {
  readonly site: Site;
  /** Nobody: what roles and consent policies say is left out. */
  readonly member: Member | undefined;
  readonly metadata: ClientMetadata;
  /** By rules and approvals. */
  readonly allowed: Allowed;
  readonly requested: readonly Scope[];
  readonly purpose: Exclude<PersonPurpose, 'approve'>;
  /** Whether the person decides for the school, and is asked to approve the client as well. @default false */
  readonly canApprove?: boolean | undefined;
  /** Whether the answer is for somebody with the role that the client needs, whatever roles the person has. @default false */
  readonly assumesRole?: boolean | undefined;
}

/** What a person gets of a client: asked by the consent page, its preview, the step before it, grants that are written unasked, and `campus.explain`. */
export type PersonDecision = (question: PersonQuestion) => Promise<Decision>;

interface PersonDecisionOptions {
  readonly catalogue: ScopeCatalogue;
  readonly access: AccessRule;
}

export function personDecision(policies: PolicySources, { catalogue, access }: PersonDecisionOptions): PersonDecision {
  return ({ site, member, metadata, allowed, requested, purpose, canApprove = false, assumesRole = false }) => {
    const { audience, source, reviewed } = clientInfo(metadata);
    const askFor = (why: PersonPurpose) => async (scopes: readonly Scope[]) =>
      member
        ? askConsentPolicies(policies, { site, member, metadata, scopes, purpose: why })
        : { scopes, denied: false, texts: [] };
    return decide({
      catalogue,
      access: member && !assumesRole ? access(member, audience) : 'permitted',
      operatorRoles: access.operatorRoles,
      allowed,
      requested,
      vouched: source !== 'document' || reviewed,
      policies: askFor(purpose),
      approving: canApprove ? askFor('approve') : undefined,
    });
  };
}

/** Whether the person can connect the client now, with some of what it asks for at least. */
export function canConnect({ outcome }: Decision): boolean {
  return outcome === 'allowed' || outcome === 'view_only';
}
