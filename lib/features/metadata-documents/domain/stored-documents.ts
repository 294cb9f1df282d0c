import type { ClientFinder } from '../../../core/clients/client-finder.ts';
import { verifiedApp } from '../../../core/clients/client-metadata.ts';
import type { Enabled } from '../../../core/enabled/enabled.ts';
import { textOf } from '../../../kernel/json.ts';
import type { DocumentCache } from './document-cache.ts';
import type { MetadataDocumentPolicy } from './document-policy.ts';

interface StoredOptions {
  readonly cache: DocumentCache;
  readonly policy: MetadataDocumentPolicy | undefined;
  readonly enabled: Enabled;
}

/** A finder that only looks into the cache: what a document said when it was last fetched, for a page to show. */
export function storedDocuments({ cache, policy, enabled }: StoredOptions): ClientFinder {
  return async (_siteId, clientId) => {
    const stored = await cache.find(clientId);
    const document = stored?.document ?? {};
    const name = textOf(document, 'client_name');
    const method = textOf(document, 'token_endpoint_auth_method');
    const signed = enabled.authentication.some((row) => row.isSigned === true && row.name === method);
    const proof = signed && { token_endpoint_auth_method: method };
    const app = verifiedApp(policy?.known?.(clientId)?.app);
    const names = name !== undefined && { client_name: name };
    return {
      client_id: clientId,
      ...names,
      ...proof,
      ...app,
      campus_source: 'document',
      campus_digest: stored?.digest,
      campus_same_since: stored?.since,
    };
  };
}
