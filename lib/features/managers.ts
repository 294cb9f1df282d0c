import type { LimitChoices } from '../core/boundaries/limit-choices.ts';
import type { Clients } from '../core/clients/client-manager.ts';
import { type ClientSource, noSource } from '../core/clients/client-source.ts';
import { noSubjects, type Subjects } from '../core/clients/subjects.ts';
import { noSignOuts, type SignOuts } from '../core/connections/sign-outs.ts';
import type { SourceParts, SourceSettings, VersionParts } from '../core/decisions/client-source-parts.ts';
import type { KeyRing } from '../core/keys/keys.ts';
import type { Outbound } from '../core/outbound/outbound.ts';
import { type ClientVersions, noVersions } from '../core/reviews/client-versions.ts';
import type { Host } from '../host/host.ts';
import type { Audit } from '../observe/audit.ts';
import type { Records } from '../records/records.ts';
import { createLimitChoices } from './boundaries/domain/choices.ts';
import { logoutNotices } from './logout/domain/notices.ts';
import { documentSource, documentVersions } from './metadata-documents/domain/document-source.ts';
import type { FeaturePolicies, FeatureSettings } from './policies.ts';
import { pseudonyms } from './pseudonyms/domain/subjects.ts';

// The parts of a campus that features own. What is on the left of a spread stands while the feature is off.

export { createApplications } from './applications/domain/applications.ts';
export { createConnections } from './connected-apps/domain/connections.ts';
export { createPrograms } from './programs/domain/programs.ts';
export { createRuleChecks } from './programs/domain/rule-check.ts';
export { createReviews } from './programs/domain/reviews.ts';

/** The versions of the clients of features, on which schools decide. */
export function createVersions(parts: VersionParts<FeaturePolicies>): ClientVersions {
  return { ...noVersions, ...documentVersions(parts) };
}

/** The clients of features, which nobody creates or registers at a school. */
export function createSource(settings: SourceSettings, parts: SourceParts<FeaturePolicies>): ClientSource {
  return { ...noSource, ...documentSource(settings, parts) };
}

/** The names under which clients know people. */
export function createSubjects(settings: FeatureSettings): Subjects {
  return { ...noSubjects, ...pseudonyms(settings) };
}

interface ChoiceCore {
  readonly policies: FeaturePolicies;
  readonly records: Records;
}

/** What people choose the limits of a connection with. */
export function createChoices({ policies, records: { store } }: ChoiceCore): LimitChoices {
  return createLimitChoices(policies.boundaries, () => store.writesNewest('Grant'));
}

interface SignOutParts {
  readonly host: Host;
  readonly records: Records;
  readonly clients: Clients;
  readonly keys: KeyRing;
  readonly outbound: Outbound;
  readonly audit: Audit;
}

/** How applications learn that a person is signed out. */
export function createSignOuts(settings: FeatureSettings, parts: SignOutParts): SignOuts {
  return { ...noSignOuts, ...logoutNotices(settings, parts) };
}
