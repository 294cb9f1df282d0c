import type { MaybePromise } from '../../lib/contracts/platform.ts';
import type { MetadataDocumentPolicy } from '../../lib/contracts/registration.ts';
import { InvalidClientMetadata } from '../../lib/protocol/errors.ts';
import { plainHost } from '../../lib/protocol/redirect-uri.ts';
import { documentDigest } from './digest.ts';
import { documentMetadata } from './metadata.ts';
import { checkDocumentUrl, isOpenHost } from './url.ts';
import { must } from '../options.ts';
import { operatorScopes, unreviewedScopes } from '../scope-ceiling.ts';

/** Options of `metadataDocuments`. */
export interface MetadataDocumentsOptions {
  /** Hosts whose documents are resolved, exactly as a URL has them: `claude.ai`, `docs.example:8443`. @default [] */
  readonly hosts?: readonly string[] | undefined;
  /** Resolve documents on any public host at the default port. @default false */
  readonly open?: boolean | undefined;
  /**
   * Whether you have reviewed this very document; it may then ask for every operator scope. The digest is that of its
   * redirect URIs, name and keys. Asked whenever the client is used. @default nobody is reviewed
   */
  readonly reviewed?: ((clientId: string, digest: string) => MaybePromise<boolean>) | undefined;
}

/**
 * Clients that publish a metadata document and use its URL as `client_id`. Specification: Registration rules 3;
 * draft-ietf-oauth-client-id-metadata-document.
 *
 * @throws TypeError that names the option, for example `metadataDocuments.hosts[0] must be …`
 */
export function metadataDocuments(options: MetadataDocumentsOptions): MetadataDocumentPolicy {
  const { hosts = [], open = false, reviewed } = options;
  must(typeof open === 'boolean', 'metadataDocuments.open', 'be a boolean');
  must(reviewed === undefined || typeof reviewed === 'function', 'metadataDocuments.reviewed', 'be a function');
  const listed = listedHosts(hosts);

  return {
    permits(clientId) {
      const wrong = checkDocumentUrl(clientId);
      if (wrong !== undefined) return new InvalidClientMetadata(`client_id ${wrong}`);
      const url = new URL(clientId);
      if (listed.has(url.host) || (open && isOpenHost(url))) return undefined;
      return new InvalidClientMetadata(
        `metadata documents on ${url.host} are not permitted here; ask the operator of this server to allow the host`,
      );
    },
    checkDocument(clientId, document) {
      return { metadata: documentMetadata(clientId, document), digest: documentDigest(document) };
    },
    async ceiling(clientId, digest) {
      return (await reviewed?.(clientId, digest)) === true ? operatorScopes : unreviewedScopes;
    },
    guide: `Documents are taken from ${open ? 'any public host' : [...listed].join(', ') || 'no host'}.`,
  };
}

function isHost(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  const url = URL.parse(`https://${value}/`);
  return url !== null && url.host === value && plainHost.test(url.hostname);
}

function listedHosts(hosts: unknown): ReadonlySet<string> {
  must(Array.isArray(hosts), 'metadataDocuments.hosts', 'be an array of hosts');
  const listed = new Set<string>();
  for (const [i, host] of hosts.entries()) {
    must(
      isHost(host),
      `metadataDocuments.hosts[${i}]`,
      'be a host as a URL has it, such as "claude.ai" or "docs.example:8443"',
    );
    listed.add(host);
  }
  return listed;
}
