import table from './known-apps.json' with { type: 'json' };
import type { AppKind } from './app-kind.ts';
import { read, recorded, type VendorSource } from './sources.ts';

/** A product that people connect. One app can become a client in several ways. */
export interface DescribedApp {
  /** What rules, audit events and rows call it: small letters, digits and `-`. */
  readonly id: string;
  /** Its name, for people. */
  readonly name: string;
  /** The company or project that makes it. @default not known */
  readonly publisher?: string | undefined;
  /** Its home page. @default none */
  readonly homePage?: string | undefined;
  /** What it is. It counts where the address of a client proves that it is this one. @default 'assistant' */
  readonly kind?: AppKind | undefined;
}

/** The id of one of `knownApps`. */
export type KnownAppId =
  | 'claude'
  | 'claude-code'
  | 'chatgpt'
  | 'codex'
  | 'vs-code'
  | 'copilot-studio'
  | 'microsoft-365-copilot'
  | 'github-copilot-cli'
  | 'github-copilot-jetbrains'
  | 'cursor'
  | 'gemini'
  | 'gemini-cli'
  | 'google-antigravity'
  | 'grok'
  | 'perplexity'
  | 'le-chat'
  | 'slack'
  | 'dust'
  | 'n8n-cloud'
  | 'amazon-quick'
  | 'devin'
  | 'warp'
  | 'mcpjam'
  | 'v0'
  | 'postman'
  | 'raycast'
  | 'notion'
  | 'factory-droid'
  | 'goose'
  | 'opencode'
  | 'toolhive'
  | 'zed'
  | 'mcp-remote'
  | 'mcp-inspector'
  | 'libre-chat';

/** A row of `knownApps`. */
export interface KnownApp extends DescribedApp {
  readonly id: KnownAppId;
  readonly publisher: string;
  readonly homePage: string;
  /** The names that it registers under; the first is its name. */
  readonly names: readonly string[];
  /** Where it was read or recorded how the app connects. */
  readonly source: VendorSource;
}

/** An app as the JSON file has it. `names` are the other names that it registers under. */
interface StoredApp {
  readonly name: string;
  readonly publisher: string;
  readonly homePage: string;
  readonly names?: readonly string[];
  readonly read?: string;
  readonly recorded?: string;
}

const stored: Readonly<Record<KnownAppId, StoredApp>> = table;

/** A row of `knownApps` by its id. */
export function knownApp(id: KnownAppId): KnownApp {
  const { names = [], read: page, recorded: report, ...app } = stored[id];
  const source = page === undefined ? recorded(report ?? '') : read(page);
  return { id, ...app, names: [app.name, ...names], source };
}

/** Whether it is the id of one of `knownApps`. */
export function isKnownAppId(id: string): id is KnownAppId {
  return Object.hasOwn(table, id);
}

/**
 * The known apps, for vendor rows, document rows and the page _Connect your assistant_. Each app is listed once, even if it can connect in
 * several ways.
 */
export const knownApps: readonly KnownApp[] = Object.keys(table).filter(isKnownAppId).map(knownApp);

/** The app that a row names, without what only the table needs. */
export function appNamed(given: KnownAppId | DescribedApp | undefined): DescribedApp | undefined {
  if (typeof given !== 'string') return given;
  const { id, name, publisher, homePage, kind } = knownApp(given);
  return { id, name, publisher, homePage, ...(kind && { kind }) };
}
