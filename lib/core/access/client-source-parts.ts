import type { Audit } from '../../observe/audit.ts';
import type { Records } from '../../records/records.ts';
import type { LimitManager } from '../limits/limit-manager.ts';
import type { Enabled } from '../enabled/enabled.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { ReportChange, ReviewFinder } from './version-approvals.ts';
import type { ScopeCatalogue } from '../scopes/scopes.ts';
import type { AppRuleFinders } from './rule-finders.ts';

/** What a feature finds the versions of its clients with. */
export interface VersionParts<Policies> {
  readonly policies: Policies;
  readonly records: Records;
  readonly outbound: Outbound;
}

/** What a feature finds its clients with, on which schools decide. */
export interface SourceParts<Policies> extends VersionParts<Policies> {
  readonly rules: AppRuleFinders;
  readonly reviews: {
    readonly reviewOf: ReviewFinder;
    readonly reportChange: ReportChange;
  };
  readonly limits: LimitManager;
  readonly audit: Audit;
}

export interface SourceSettings {
  readonly catalogue: ScopeCatalogue;
  readonly enabled: Enabled;
}
