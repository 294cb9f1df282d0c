import { usesKey } from '../core/clients/client-metadata.ts';
import { featuresInTests } from '../features/features.ts';
import type { Settings } from '../options/options.ts';
import type { ClientMetadata } from '../records/codec.ts';

/** The same settings for clients without their private keys: those that are configured in code have a secret, and those of features are public. */
export function settingsWithoutKeys(settings: Settings, secret: string): Settings {
  const clients = settings.clients.map(({ publicKeys, assertionAudience: _audience, ...client }) =>
    publicKeys === undefined ? client : { ...client, clientSecret: secret },
  );
  return featuresInTests.reduce<Settings>((changed, { withoutKeys }) => withoutKeys(changed), { ...settings, clients });
}

/** A stored client that can authenticate, with this digest of a secret in place of what it has. */
export function withSecret(client: ClientMetadata, secretDigest: string): ClientMetadata | undefined {
  if (!usesKey(client))
    return client.client_secret === undefined ? undefined : { ...client, client_secret: secretDigest };
  const { client_id, jwks: _keys, jwks_uri: _address, ...own } = client;
  return { ...own, client_id, token_endpoint_auth_method: 'client_secret_post', client_secret: secretDigest };
}
