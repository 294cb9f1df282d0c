import type { MetadataDocumentPolicy } from '../features/metadata-documents/domain/document-policy.ts';
import { usesKey } from '../core/clients/metadata.ts';
import type { Settings } from '../options/options.ts';
import type { ClientMetadata } from '../records/codec.ts';

/** The same settings for clients without their private keys: those that are configured in code have a secret, and documents are public. */
export function settingsWithoutKeys(settings: Settings, secret: string): Settings {
  const { clients, metadataDocuments: policy } = settings;
  return {
    ...settings,
    clients: clients.map(({ publicKeys, ...client }) =>
      publicKeys === undefined ? client : { ...client, clientSecret: secret },
    ),
    metadataDocuments: policy && publicPolicy(policy),
  };
}

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

/** A stored client that can authenticate, with this digest of a secret in place of what it has. */
export function withSecret(client: ClientMetadata, secretDigest: string): ClientMetadata | undefined {
  if (!usesKey(client))
    return client.client_secret === undefined ? undefined : { ...client, client_secret: secretDigest };
  const { client_id, jwks: _keys, jwks_uri: _address, ...own } = client;
  return { ...own, client_id, token_endpoint_auth_method: 'client_secret_post', client_secret: secretDigest };
}
