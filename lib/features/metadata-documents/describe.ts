import { hourly } from '../../describe/guide/guide.ts';
import { heading, type Part } from '../../describe/guide-parts.ts';
import type { DescribedFeature } from '../../describe/service-description.ts';

export const metadataDocumentsDescription: DescribedFeature = {
  clients: {
    guide: (_site, { policies }) => metadataDocument(policies.metadataDocuments?.guide),
    metadata: () => ({ client_id_metadata_document_supported: true }),
    errors: ['invalid_client_metadata'],
    lookupErrors: ['invalid_client_metadata'],
    limits: ({ documents }) => [['fetches of a metadata document', hourly(documents)]],
  },
};

function metadataDocument(text = 'This platform decides which documents it accepts.'): Part[] {
  return [
    heading(3, 'Publish a metadata document'),
    `Publish a Client ID Metadata Document over HTTPS and use its URL as \`client_id\`; the metadata announces support with
\`client_id_metadata_document_supported\`. ${text} The \`redirect_uris\` of a document must be under its host or be loopback
addresses. The client acts for an operator. Until an administrator has
approved the document, which they can do on the consent page, it can get identity and \`:read\` scopes only: ask for all that you need.`,
  ];
}
