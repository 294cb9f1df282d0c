import type { Feature } from '../feature.ts';
import { metadataDocumentsDescription } from './describe.ts';

/** Clients that are Client ID Metadata Documents. draft-ietf-oauth-client-id-metadata-document. */
export const metadataDocuments: Feature = {
  key: { option: 'metadataDocuments' },
  described: metadataDocumentsDescription,
};
