import type { AssertionAudience } from '../../lib/core/clients/assertion-audience.ts';
import { type DatedDocument, documentCopies } from '../../lib/features/metadata-documents/domain/document-copies.ts';
import { knownApp, type DescribedApp, type KnownAppId } from '../../lib/core/known-apps/known-apps.ts';
import { recorded, type VendorSource } from '../../lib/core/known-apps/sources.ts';
import { documentPattern } from './document.ts';

/** A metadata document that is known in advance, by its address. */
export interface KnownDocument {
  /** The name of the product that publishes it. */
  readonly name: string;
  /**
   * The URL of the document. `*` stands for one segment of the path, of 1 to 128 letters, digits, `-` and `_`. Use it for products that
   * publish a document for each installation.
   */
  readonly url: string;
  /** The source of the row. `read`: the app's code or the document. `recorded`: a record of its requests. */
  readonly source: VendorSource;
  /** The app of the client: an id of `knownApps`, or your own app. @default no known app */
  readonly app?: KnownAppId | DescribedApp | undefined;
  /**
   * The accepted redirect URIs, for a document that also has one on another host. They must be on the host of the document, or loopback
   * addresses. @default all
   */
  readonly redirectUris?: readonly string[] | undefined;
  /**
   * Also accepts assertions with the token endpoint as audience, for an app that only sends these. RFC 10070 section 4.
   * @default the issuer alone
   */
  readonly assertionAudience?: AssertionAudience | undefined;
  /** A copy, which is used until the document has been fetched once. @default none */
  readonly copy?: DatedDocument | undefined;
}

/** A document of a known app; its source is that of the app unless there is one of its own. */
function row(app: KnownAppId, url: string, more: Partial<KnownDocument> = {}): KnownDocument {
  const { name, source } = knownApp(app);
  const copy = documentCopies.get(url);
  return { name, url, source, app, ...(copy && { copy }), ...more };
}

/** What another server found out about the documents of apps. */
const registry = recorded('https://github.com/speakeasy-api/gram/blob/main/server/internal/aivendors/registry.go');

/**
 * Metadata documents of well-known apps for `metadataDocuments`. Use the list whole or filtered. Rows are addresses instead of hosts,
 * because on some hosts anyone can publish a page. A row only says where an app publishes its document: the client is limited to read
 * scopes until the document is reviewed. Documents whose redirect URIs are all on another host are not accepted, so they are not listed.
 * Specification: Registration rules 3.
 */
export const knownDocuments: readonly KnownDocument[] = [
  row('claude', 'https://claude.ai/oauth/mcp-oauth-client-metadata'),
  row('claude-code', 'https://claude.ai/oauth/claude-code-client-metadata'),
  // Its assertions are for the token endpoint: https://github.com/Artexis10/exomem/pull/380.
  row('chatgpt', 'https://chatgpt.com/oauth/client.json', { assertionAudience: 'token_endpoint' }),
  row('chatgpt', 'https://chatgpt.com/oauth/*/client.json', { assertionAudience: 'token_endpoint' }),
  row('codex', 'https://chatgpt.com/oauth/codex/client.json', {
    source: recorded('https://github.com/getsentry/sentry-mcp/issues/1312'),
  }),
  row('codex', 'https://chatgpt.com/oauth/codex/*/client.json'),
  row('vs-code', 'https://vscode.dev/oauth/client-metadata.json', { source: registry }),
  row('vs-code', 'https://insiders.vscode.dev/oauth/client-metadata.json', { source: registry }),
  row('zed', 'https://zed.dev/oauth/client-metadata.json'),
  row('github-copilot-cli', 'https://github.com/copilot/cli/client-metadata.json'),
  row('goose', 'https://goose-docs.ai/oauth/client-metadata.json'),
  row('opencode', 'https://opencode.ai/oauth/opencode/client.json'),
  row('notion', 'https://www.notion.so/oauth/mcp-client-metadata.json'),
  row('notion', 'https://app.notion.com/oauth/mcp-client-metadata.json'),
  // It has a second one on console.x.ai, for accounts of companies.
  row('grok', 'https://grok.com/oauth/mcp-client.json', {
    redirectUris: ['https://grok.com/connectors-oauth-exchange-code/'],
  }),
  row('factory-droid', 'https://api.factory.ai/mcp/oauth-client'),
  row('toolhive', 'https://toolhive.dev/oauth/client-metadata.json'),
];

/** Finds the row of a document: one with its URL before one whose pattern it matches. */
export function documentFinder(rows: readonly KnownDocument[]): (clientId: string) => KnownDocument | undefined {
  const isPattern = ({ url }: KnownDocument): boolean => url.includes('*');
  const ordered = [...rows.filter((each) => !isPattern(each)), ...rows.filter(isPattern)];
  const patterns = ordered.map((each) => ({ each, pattern: documentPattern(each.url) }));
  return (clientId) => patterns.find(({ pattern }) => pattern.test(clientId))?.each;
}

/** The copy of a row, as that of this document. */
export function copyFor(clientId: string, { url, copy }: KnownDocument): DatedDocument | undefined {
  const [, segment] = documentPattern(url).exec(clientId) ?? [];
  if (!copy || segment === undefined) return copy;
  // A segment has no character that JSON would write in another way.
  return { ...copy, document: JSON.parse(JSON.stringify(copy.document).replaceAll('*', segment)) };
}
