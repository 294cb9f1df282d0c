import { hourlyLimitSchema } from '../../kernel/hourly-limit.ts';
import type { Feature } from '../feature.ts';
import { metadataDocumentsDescription } from './describe.ts';
import { documentSource, documentVersions } from './domain/document-source.ts';
import { metadataDocumentsOption } from './domain/option.ts';
import { documentPolicies, knownDocuments } from './domain/wrapped-policy.ts';
import { metadataDocumentsExamples } from './examples.ts';
import { documentFindings, servedCopyFindings } from './diagnose.ts';
import { documentsInTests } from './in-tests.ts';

/** Clients that are Client ID Metadata Documents. draft-ietf-oauth-client-id-metadata-document. */
export const metadataDocuments: Feature = {
  option: 'metadataDocuments',
  options: metadataDocumentsOption,
  policies: documentPolicies,
  waysIn: ({ documents }) =>
    (documents?.apps ?? []).map((id) => ({ id, source: 'document', kind: 'assistant', verified: true })),
  knownClients: knownDocuments,
  clientVersions: documentVersions,
  clientSource: documentSource,
  inTests: documentsInTests,
  limits: { documents: hourlyLimitSchema.prefault({ perAddress: 60, perSite: 600 }) },
  described: metadataDocumentsDescription,
  examples: metadataDocumentsExamples,
  findings: documentFindings,
  diagnose: async ({ core }) => servedCopyFindings(core.source.servedCopies()),
};
