import * as z from 'zod';
import type { DatedDocument, CopiedDocument } from '../../lib/features/metadata-documents/domain/document-copies.ts';
import type { MaybePromise } from '../../lib/host/school-platform.ts';
import type { MetadataDocumentPolicy } from '../../lib/features/metadata-documents/domain/document-policy.ts';
import { flag, func, group, list, type Shape, refuse, text, shown } from '../../lib/kernel/option-schemas.ts';
import { InvalidClientMetadata } from '../../lib/kernel/errors.ts';
import { assertionAudienceField } from '../../lib/core/clients/assertion-audience.ts';
import { plainHost } from '../../lib/core/clients/redirect-uri.ts';
import { appNamed } from '../../lib/core/known-apps/known-apps.ts';
import { appField } from '../../lib/core/known-apps/app-field.ts';
import { isObject, readOptions } from '../../lib/kernel/validate.ts';
import {
  checkDocumentPattern,
  checkDocumentUrl,
  documentDigest,
  documentMetadata,
  isOpenHost,
  isPrivateHost,
  withCountedUris,
} from './document.ts';
import { copyFor, documentFinder, type KnownDocument, knownDocuments } from './known.ts';
import { sourceSchema } from '../../lib/core/known-apps/sources.ts';
import { operatorScopesOf, unreviewedScopesOf } from '../client-metadata.ts';

/** Options of `metadataDocuments`. */
export interface MetadataDocumentsOptions {
  /** Documents to accept, for example `knownDocuments`. @default [] */
  readonly documents?: readonly KnownDocument[] | undefined;
  /** Hosts whose documents are all accepted, as `URL.host` returns them: `claude.ai`, `docs.example:8443`. @default [] */
  readonly hosts?: readonly string[] | undefined;
  /** Whether to accept documents on any public host at the default port. @default false */
  readonly open?: boolean | undefined;
  /**
   * Returns whether you have reviewed the document with this digest of its redirect URIs, name and keys, for all schools. Its client can
   * then get every operator scope. Called at every use of the client and of its tokens. A review at one school (`campus.apps.set` with a
   * `version`) lifts the limit there, even if this returns `false`. @default no document is reviewed
   */
  readonly reviewed?: ((clientId: string, digest: string) => MaybePromise<boolean>) | undefined;
}

const host = z
  .custom<string>(isHost, {
    error: ({ input }) =>
      `be a host without scheme and path, such as "claude.ai" or "docs.example:8443", not ${shown(input)}`,
  })
  .meta({ type: 'host' });

const knownDocument = group({
  name: text(),
  url: z.string('be the URL of a metadata document or a pattern of one').check((payload) => {
    const wrong = checkDocumentPattern(payload.value);
    if (wrong !== undefined) refuse(payload, [], wrong);
  }),
  source: sourceSchema,
  app: appField,
  redirectUris: list(z.string('be a redirect URI'), 'be an array of redirect URIs').optional(),
  assertionAudience: assertionAudienceField,
  copy: group({
    date: z.iso.date('be a day such as "2026-11-22"'),
    document: z.custom<CopiedDocument>(isObject, 'be an object'),
  } satisfies Shape<DatedDocument>).optional(),
} satisfies Shape<KnownDocument>)
  .check((payload) => {
    const { url, copy, redirectUris } = payload.value;
    const clientId = url.replaceAll('*', 'a');
    try {
      if (copy)
        documentMetadata(clientId, withCountedUris(copyFor(clientId, payload.value)?.document ?? {}, redirectUris));
    } catch (error) {
      refuse(payload, ['copy', 'document'], `be usable, but ${String(error)}`);
    }
  })
  .meta({ type: '`KnownDocument`' });

/** @internal */
export const metadataDocumentsSchema = group({
  documents: list(knownDocument, 'be an array of documents').prefault([]),
  hosts: list(host, 'be an array of hosts').prefault([]),
  open: flag.default(false),
  reviewed: func<NonNullable<MetadataDocumentsOptions['reviewed']>>().optional(),
} satisfies Shape<MetadataDocumentsOptions>).check((payload) => {
  const { documents, hosts, open } = payload.value;
  // Apps that prefer a document would be refused, and would not register.
  if (documents.length + hosts.length === 0 && !open) refuse(payload, [], 'admit something: documents, hosts or open');
});

/**
 * Accepts clients that publish a metadata document and use its URL as `client_id`. Specification: Registration rules 3;
 * draft-ietf-oauth-client-id-metadata-document.
 *
 * @throws TypeError that names the option, for example `metadataDocuments.hosts[0] must be …`
 */
export function metadataDocuments(options: MetadataDocumentsOptions): MetadataDocumentPolicy {
  const { documents, hosts, open, reviewed } = readOptions(metadataDocumentsSchema, options, 'metadataDocuments');
  const listed: ReadonlySet<string> = new Set(hosts);
  const admitted = documentFinder(documents);
  const known = documentFinder([...documents, ...knownDocuments]);

  return {
    apps: documents.flatMap(({ app }) => appNamed(app)?.id ?? []),
    checkClientId(clientId) {
      const wrong = checkDocumentUrl(clientId);
      if (wrong !== undefined) throw new InvalidClientMetadata(`client_id ${wrong}`);
      const url = new URL(clientId);
      if (listed.has(url.host) || (open && isOpenHost(url)) || admitted(clientId)) return;
      if (isPrivateHost(url)) {
        throw new InvalidClientMetadata(
          `a metadata document on ${url.host} cannot be read from the internet; serve it on a public host, or register instead`,
        );
      }
      const others = documents.some((row) => new URL(row.url).host === url.host) ? 'other ' : '';
      throw new InvalidClientMetadata(
        `${others}metadata documents on ${url.host} are not permitted here; ask the operator of this server to allow ${others === '' ? 'the host' : 'yours'}`,
      );
    },
    // A row says what is at its address, however the document is admitted: no way in escapes a rule on its app.
    known(clientId) {
      const row = known(clientId);
      if (!row) return undefined;
      const { assertionAudience } = row;
      return {
        app: appNamed(row.app),
        copy: copyFor(clientId, row),
        ...(assertionAudience && { assertionAudience }),
      };
    },
    checkDocument(clientId, document, methods) {
      const counted = withCountedUris(document, known(clientId)?.redirectUris);
      return { metadata: documentMetadata(clientId, counted, methods), digest: documentDigest(counted) };
    },
    async allowedScopes(clientId, digest, scopes) {
      return (await reviewed?.(clientId, digest)) === true ? operatorScopesOf(scopes) : unreviewedScopesOf(scopes);
    },
    guide: `Documents are accepted from ${open ? 'any public host' : acceptedText(hosts, documents)}.`,
  };
}

function isHost(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  const url = URL.parse(`https://${value}/`);
  return url !== null && url.host === value && plainHost.test(url.hostname);
}

function acceptedText(hosts: readonly string[], documents: readonly KnownDocument[]): string {
  const names = new Set([...hosts, ...documents.map(({ name }) => name)]);
  return [...names].join(', ') || 'no host';
}
