import { type ClientSource, noSource } from '../core/clients/client-source.ts';
import type { ProgramRuleFinders } from '../core/decisions/program-rules.ts';
import type { LimitManager } from '../core/limits/limit-manager.ts';
import type { Offered } from '../core/offered/offered.ts';
import type { Outbound } from '../core/outbound/outbound.ts';
import type { ReportChange, ReviewFinder } from '../core/reviews/approvals.ts';
import { type ClientVersions, noVersions } from '../core/reviews/client-versions.ts';
import type { ScopeCatalogue } from '../core/scopes/scopes.ts';
import type { Audit } from '../observe/audit.ts';
import type { Records } from '../records/records.ts';
import { documentSource, documentVersions } from './metadata-documents/domain/document-source.ts';
import type { FeaturePolicies } from './policies.ts';

interface VersionParts {
  readonly policies: FeaturePolicies;
  readonly records: Records;
  readonly outbound: Outbound;
}

/** The versions of the clients of features, on which schools decide. */
export function clientVersions(parts: VersionParts): ClientVersions {
  return { ...noVersions, ...documentVersions(parts) };
}

interface SourceSettings {
  readonly catalogue: ScopeCatalogue;
  readonly offered: Offered;
}

interface SourceParts extends VersionParts {
  readonly rules: ProgramRuleFinders;
  readonly reviews: {
    readonly reviewOf: ReviewFinder;
    readonly reviewInUse: ReviewFinder;
    readonly reportChange: ReportChange;
  };
  readonly limits: LimitManager;
  readonly audit: Audit;
}

/** The clients of features, which nobody creates or registers at a school. */
export function clientSource(settings: SourceSettings, parts: SourceParts): ClientSource {
  return { ...noSource, ...documentSource(settings, parts) };
}
