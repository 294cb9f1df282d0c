import type { FeatureInTests } from '../feature-in-tests.ts';
import { isPermitted } from './domain/allowed-scopes.ts';
import { createDocumentCache, usableCopy } from './domain/document-cache.ts';
import type { MetadataDocumentPolicy } from './domain/document-policy.ts';
import { recordedDocuments } from './recorded-documents.ts';

function publicPolicy(policy: MetadataDocumentPolicy): MetadataDocumentPolicy {
  return {
    checkClientId: policy.checkClientId.bind(policy),
    allowedScopes: policy.allowedScopes.bind(policy),
    ...(policy.known && { known: policy.known.bind(policy) }),
    checkDocument(...given) {
      const { metadata, digest } = policy.checkDocument(...given);
      const { jwks: _keys, jwks_uri: _address, ...own } = metadata;
      return { metadata: { ...own, token_endpoint_auth_method: 'none' }, digest };
    },
  };
}

/** Seconds for which a document that was put into the store is not fetched. */
const fresh = 60 * 60;

const storeRecorded: FeatureInTests['storeClient'] = async (settings, { store }, clientId) => {
  const { metadataDocuments: policy, testing } = settings;
  const document = recordedDocuments.find(({ client_id: id }) => id === clientId);
  // With `testing` the host serves documents itself.
  if (!document || !policy || testing || !isPermitted(policy, clientId)) return;
  const cache = createDocumentCache(store);
  if (usableCopy(await cache.find(clientId))) return;
  await cache.save(clientId, { document, digest: policy.checkDocument(clientId, document).digest, ttl: fresh });
};

export const documentsInTests: FeatureInTests = {
  takesDocuments: ({ metadataDocuments }) => metadataDocuments !== undefined,
  withoutKeys: ({ metadataDocuments: policy, ...settings }) => ({
    ...settings,
    metadataDocuments: policy && publicPolicy(policy),
  }),
  storeClient: storeRecorded,
};
