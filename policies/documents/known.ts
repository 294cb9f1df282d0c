import type { VendorSource } from '../sources.ts';

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
    source: { url: 'https://claude.com/docs/connectors/building/authentication', kind: 'read' },
  },
  {
    name: 'Claude Code',
    url: 'https://claude.ai/oauth/claude-code-client-metadata',
    source: { url: 'https://github.com/vm0-ai/vm0/issues/17946', kind: 'recorded' },
  },
  {
    name: 'ChatGPT',
    url: 'https://chatgpt.com/oauth/client.json',
    source: { url: 'https://developers.openai.com/plugins/build/auth', kind: 'read' },
  },
  {
    name: 'ChatGPT',
    url: 'https://chatgpt.com/oauth/*/client.json',
    source: { url: 'https://developers.openai.com/plugins/build/auth', kind: 'read' },
  },
  {
    name: 'Codex',
    url: 'https://chatgpt.com/oauth/codex/client.json',
    source: { url: 'https://github.com/getsentry/sentry-mcp/issues/1312', kind: 'recorded' },
  },
  {
    name: 'Codex',
    url: 'https://chatgpt.com/oauth/codex/*/client.json',
    source: { url: 'https://github.com/openai/codex/pull/38089', kind: 'read' },
  },
  {
    name: 'Visual Studio Code',
    url: 'https://vscode.dev/oauth/client-metadata.json',
    source: {
      url: 'https://github.com/speakeasy-api/gram/blob/main/server/internal/aivendors/registry.go',
      kind: 'recorded',
    },
  },
  {
    name: 'Visual Studio Code Insiders',
    url: 'https://insiders.vscode.dev/oauth/client-metadata.json',
    source: {
      url: 'https://github.com/speakeasy-api/gram/blob/main/server/internal/aivendors/registry.go',
      kind: 'recorded',
    },
  },
  {
    name: 'Zed',
    url: 'https://zed.dev/oauth/client-metadata.json',
    source: { url: 'https://github.com/zed-industries/zed/blob/main/crates/context_server/src/oauth.rs', kind: 'read' },
  },
  {
    name: 'GitHub Copilot CLI',
    url: 'https://github.com/copilot/cli/client-metadata.json',
    source: { url: 'https://github.com/github/copilot-cli/issues/4793', kind: 'recorded' },
  },
  {
    name: 'Goose',
    url: 'https://goose-docs.ai/oauth/client-metadata.json',
    source: { url: 'https://github.com/aaif-goose/goose/blob/main/crates/goose/src/oauth/mod.rs', kind: 'read' },
  },
  {
    name: 'Opencode',
    url: 'https://opencode.ai/oauth/opencode/client.json',
    source: {
      url: 'https://github.com/anomalyco/opencode/blob/dev/packages/console/app/src/routes/oauth/opencode/client.json.ts',
      kind: 'read',
    },
  },
  {
    name: 'Notion',
    url: 'https://www.notion.so/oauth/mcp-client-metadata.json',
    source: {
      url: 'https://github.com/speakeasy-api/gram/blob/main/server/internal/aivendors/registry.go',
      kind: 'recorded',
    },
  },
  {
    name: 'Factory Droid',
    url: 'https://api.factory.ai/mcp/oauth-client',
    source: {
      url: 'https://github.com/speakeasy-api/gram/blob/main/server/internal/aivendors/registry.go',
      kind: 'recorded',
    },
  },
  {
    name: 'ToolHive',
    url: 'https://toolhive.dev/oauth/client-metadata.json',
    source: { url: 'https://github.com/stacklok/toolhive/tree/main/pkg/oauthproto', kind: 'read' },
  },
];
