import { read, recorded, type VendorSource } from '../sources.ts';

/** A metadata document that is known in advance, by its address. */
export interface KnownDocument {
  /** The product that publishes it, for people. */
  readonly name: string;
  /**
   * The URL of the document. `*` stands for one segment of the path, of 1 to 128 letters, digits, `-` and `_`: for products
   * that publish a document for each of their own installations.
   */
  readonly url: string;
  /** Where the row comes from: the program's own code or the document was `read`, or what it does was `recorded`. */
  readonly source: VendorSource;
}

/** What another server found out about the documents of programs. */
const registry = recorded('https://github.com/speakeasy-api/gram/blob/main/server/internal/aivendors/registry.go');

/**
 * Metadata documents of well-known programs for `metadataDocuments`, to be used whole or filtered. They are addresses and
 * not hosts, because on some hosts anyone can publish a page. A row says where a program publishes its document, and
 * nothing about its quality: the client is limited to read scopes until the document is reviewed. Documents whose redirect
 * URIs are on another host than the document are not accepted, so they are not listed. Specification: Registration rules 3.
 */
export const knownDocuments: readonly KnownDocument[] = [
  {
    name: 'Claude',
    url: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
    source: read('https://claude.com/docs/connectors/building/authentication'),
  },
  {
    name: 'Claude Code',
    url: 'https://claude.ai/oauth/claude-code-client-metadata',
    source: recorded('https://github.com/vm0-ai/vm0/issues/17946'),
  },
  {
    name: 'ChatGPT',
    url: 'https://chatgpt.com/oauth/client.json',
    source: read('https://developers.openai.com/plugins/build/auth'),
  },
  {
    name: 'ChatGPT',
    url: 'https://chatgpt.com/oauth/*/client.json',
    source: read('https://developers.openai.com/plugins/build/auth'),
  },
  {
    name: 'Codex',
    url: 'https://chatgpt.com/oauth/codex/client.json',
    source: recorded('https://github.com/getsentry/sentry-mcp/issues/1312'),
  },
  {
    name: 'Codex',
    url: 'https://chatgpt.com/oauth/codex/*/client.json',
    source: read('https://github.com/openai/codex/pull/38089'),
  },
  { name: 'Visual Studio Code', url: 'https://vscode.dev/oauth/client-metadata.json', source: registry },
  {
    name: 'Visual Studio Code Insiders',
    url: 'https://insiders.vscode.dev/oauth/client-metadata.json',
    source: registry,
  },
  {
    name: 'Zed',
    url: 'https://zed.dev/oauth/client-metadata.json',
    source: read('https://github.com/zed-industries/zed/blob/main/crates/context_server/src/oauth.rs'),
  },
  {
    name: 'GitHub Copilot CLI',
    url: 'https://github.com/copilot/cli/client-metadata.json',
    source: recorded('https://github.com/github/copilot-cli/issues/4793'),
  },
  {
    name: 'Goose',
    url: 'https://goose-docs.ai/oauth/client-metadata.json',
    source: read('https://github.com/aaif-goose/goose/blob/main/crates/goose/src/oauth/mod.rs'),
  },
  {
    name: 'Opencode',
    url: 'https://opencode.ai/oauth/opencode/client.json',
    source: read(
      'https://github.com/anomalyco/opencode/blob/dev/packages/console/app/src/routes/oauth/opencode/client.json.ts',
    ),
  },
  { name: 'Notion', url: 'https://www.notion.so/oauth/mcp-client-metadata.json', source: registry },
  { name: 'Factory Droid', url: 'https://api.factory.ai/mcp/oauth-client', source: registry },
  {
    name: 'ToolHive',
    url: 'https://toolhive.dev/oauth/client-metadata.json',
    source: read('https://github.com/stacklok/toolhive/tree/main/pkg/oauthproto'),
  },
];
