import { type ClientSource, noSource } from '../core/clients/client-source.ts';
import type { SourceParts, SourceSettings, VersionParts } from '../core/decisions/client-source-parts.ts';
import { type ClientVersions, noVersions } from '../core/reviews/client-versions.ts';
import { documentSource, documentVersions } from './metadata-documents/domain/document-source.ts';
import type { FeaturePolicies } from './policies.ts';

/** The versions of the clients of features, on which schools decide. */
export function clientVersions(parts: VersionParts<FeaturePolicies>): ClientVersions {
  return { ...noVersions, ...documentVersions(parts) };
}

/** The clients of features, which nobody creates or registers at a school. */
export function clientSource(settings: SourceSettings, parts: SourceParts<FeaturePolicies>): ClientSource {
  return { ...noSource, ...documentSource(settings, parts) };
}
