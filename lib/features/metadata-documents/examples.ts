import { textOf, textsOf } from '../../kernel/json.ts';
import { InvalidClientMetadata } from '../../kernel/errors.ts';
import { exampleDocuments } from '../../pages/example-ids.ts';
import type { FeatureExamples } from '../feature-examples.ts';
import { createDocumentCache } from './domain/document-cache.ts';
import type { MetadataDocumentPolicy } from './domain/document-policy.ts';

/** Seconds: no example takes that long, so that nothing is fetched. */
const fresh = 60 * 60;

const documents = new Map(
  Object.values(exampleDocuments).map(({ clientId, clientName, redirectUris }) => [
    clientId,
    { client_id: clientId, client_name: clientName, redirect_uris: [...redirectUris] },
  ]),
);

/** In place of the policy of the host, which knows nothing of the documents of the examples. */
const policy: MetadataDocumentPolicy = {
  checkClientId(clientId) {
    if (!documents.has(clientId)) throw new InvalidClientMetadata('this is no document of the examples');
  },
  checkDocument: (clientId, document) => ({
    metadata: {
      client_id: clientId,
      client_name: textOf(document, 'client_name') ?? clientId,
      redirect_uris: textsOf(document, 'redirect_uris'),
      application_type: 'web',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: '',
      token_endpoint_auth_method: 'none',
    },
    digest: 'new',
  }),
  allowedScopes: (_clientId, _digest, scopes = []) =>
    scopes.flatMap(({ scope, access }) => (access === 'write' ? [] : scope)),
};

/** The metadata documents of the examples, as they were fetched last. */
export const metadataDocumentsExamples: FeatureExamples = {
  settings: { metadataDocuments: policy },
  store: async ({ store }) => {
    const cache = createDocumentCache(store);
    for (const [clientId, document] of documents) await cache.save(clientId, { document, digest: 'new', ttl: fresh });
  },
};
