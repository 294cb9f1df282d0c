import * as z from 'zod';
import type { MaybePromise } from '../../lib/contracts/platform.ts';
import type { MetadataDocumentPolicy } from '../../lib/contracts/registration.ts';
import { flag, func, group, list, type Members } from '../../lib/protocol/option-schemas.ts';
import { InvalidClientMetadata } from '../../lib/protocol/errors.ts';
import { plainHost } from '../../lib/protocol/redirect-uri.ts';
import { readOptions } from '../../lib/protocol/validate.ts';
import { documentDigest, documentMetadata } from './document.ts';
import { checkDocumentUrl, isOpenHost } from './url.ts';
import { operatorScopes, unreviewedScopes } from '../scope-ceiling.ts';

/** Options of `metadataDocuments`. */
export interface MetadataDocumentsOptions {
  /** Hosts whose documents are accepted, as `URL.host` returns them: `claude.ai`, `docs.example:8443`. @default [] */
  readonly hosts?: readonly string[] | undefined;
  /** Accept documents on any public host at the default port. @default false */
  readonly open?: boolean | undefined;
  /**
   * Whether you have reviewed the document with this digest of its redirect URIs, name and keys. Its client may then ask
   * for every operator scope. Called at every use of the client. @default no document is reviewed
   */
  readonly reviewed?: ((clientId: string, digest: string) => MaybePromise<boolean>) | undefined;
}

const host = z
  .custom<string>(isHost, 'be a host as in a URL, such as "claude.ai" or "docs.example:8443"')
  .meta({ type: 'host' });

const schema = group({
  hosts: list(host, 'be an array of hosts').prefault([]).describe('Hosts whose documents are accepted.'),
  open: flag.default(false).describe('Whether documents on any public host at the default port are accepted.'),
  reviewed: func<NonNullable<MetadataDocumentsOptions['reviewed']>>()
    .optional()
    .describe('Whether you have reviewed this document. Its client may then ask for every operator scope.'),
} satisfies Members<MetadataDocumentsOptions>);

/** @internal */
export const metadataDocumentsSchema: z.ZodType = schema;

/**
 * Accepts clients that publish a metadata document and use its URL as `client_id`. Specification: Registration rules 3;
 * draft-ietf-oauth-client-id-metadata-document.
 *
 * @throws TypeError that names the option, for example `metadataDocuments.hosts[0] must be …`
 */
export function metadataDocuments(options: MetadataDocumentsOptions): MetadataDocumentPolicy {
  const { hosts, open, reviewed } = readOptions(schema, options, 'metadataDocuments');
  const listed: ReadonlySet<string> = new Set(hosts);

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
    guide: `Documents are accepted from ${open ? 'any public host' : [...listed].join(', ') || 'no host'}.`,
  };
}

function isHost(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  const url = URL.parse(`https://${value}/`);
  return url !== null && url.host === value && plainHost.test(url.hostname);
}
