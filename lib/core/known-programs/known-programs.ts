import table from './known-programs.json' with { type: 'json' };
import { read, recorded, type VendorSource } from './sources.ts';

/** A product that people connect. One program can become a client in several ways. */
export interface Program {
  /** What rules, audit events and rows call it: small letters, digits and `-`. */
  readonly id: string;
  /** Its name, for people. */
  readonly name: string;
  /** The company or project that makes it. @default not known */
  readonly publisher?: string | undefined;
  /** Its home page. @default none */
  readonly homePage?: string | undefined;
}

/** The id of one of `knownPrograms`. */
export type ProgramId =
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

/** A row of `knownPrograms`. */
export interface KnownProgram extends Program {
  readonly id: ProgramId;
  readonly publisher: string;
  readonly homePage: string;
  /** The names that it registers under; the first is its name. */
  readonly names: readonly string[];
  /** Where it was read or recorded how the program connects. */
  readonly source: VendorSource;
}

/** A program as the JSON file has it. `names` are the other names that it registers under. */
interface StoredProgram {
  readonly name: string;
  readonly publisher: string;
  readonly homePage: string;
  readonly names?: readonly string[];
  readonly read?: string;
  readonly recorded?: string;
}

const stored: Readonly<Record<ProgramId, StoredProgram>> = table;

/** A row of `knownPrograms` by its id. */
export function knownProgram(id: ProgramId): KnownProgram {
  const { names = [], read: page, recorded: report, ...program } = stored[id];
  const source = page === undefined ? recorded(report ?? '') : read(page);
  return { id, ...program, names: [program.name, ...names], source };
}

/** Whether it is the id of one of `knownPrograms`. */
export function isProgramId(id: string): id is ProgramId {
  return Object.hasOwn(table, id);
}

/**
 * The programs that vendor rows, document rows and the page _Connect your assistant_ refer to: each once, however many ways in
 * it has.
 */
export const knownPrograms: readonly KnownProgram[] = Object.keys(table).filter(isProgramId).map(knownProgram);

/** The program that a row names, without what only the table needs. */
export function programNamed(given: ProgramId | Program | undefined): Program | undefined {
  if (typeof given !== 'string') return given;
  const { id, name, publisher, homePage } = knownProgram(given);
  return { id, name, publisher, homePage };
}
