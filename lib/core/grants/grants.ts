import type { LimitChoices } from '../boundaries/limit-choices.ts';
import type { Audit } from '../../observe/audit.ts';
import type { Records } from '../../records/records.ts';
import type { Decisions } from '../decisions/decisions.ts';
import type { LimitManager } from '../limits/limit-manager.ts';
import type { Subjects } from '../clients/subjects.ts';
import type { ScopeCatalogue } from '../scopes/scopes.ts';
import type { ApprovalFinder, ConsentPolicy } from '../decisions/consent-policy.ts';
import type { ConsentOptions } from './consent.ts';
import type { ClientActive, RedemptionOptions } from './redemption.ts';

/** How grants come about and what is redeemed for them. */
export interface Grants {
  readonly consenting: ConsentOptions;
  readonly redeeming: RedemptionOptions;
}

interface GrantCore {
  readonly settings: { readonly catalogue: ScopeCatalogue };
  readonly policies: { readonly consent: readonly ConsentPolicy[] };
  readonly records: Records;
  readonly decisions: Decisions;
  readonly limits: LimitManager;
  readonly audit: Audit;
}

interface GrantSources {
  readonly reviews: { readonly approvalOf: ApprovalFinder };
  readonly connections: {
    readonly noteClient: ConsentOptions['noteClient'];
    readonly clientActive: ClientActive;
  };
  readonly choices: LimitChoices;
  readonly subjects: Subjects;
}

export function createGrants(
  { settings, policies, records, decisions, limits, audit }: GrantCore,
  { reviews, connections, choices, subjects }: GrantSources,
): Grants {
  const { store } = records;
  const { lifetimes } = limits;
  const { onAudit } = audit;
  return {
    consenting: {
      store,
      catalogue: settings.catalogue,
      lifetimes,
      onAudit,
      allowance: decisions.allowance,
      personDecision: decisions.personDecision,
      limits: choices,
      subjects,
      noteClient: connections.noteClient,
      consent: policies.consent,
      approvalOf: reviews.approvalOf,
    },
    redeeming: { store, lifetimes, limits: limits.limits, onAudit, clientActive: connections.clientActive },
  };
}
