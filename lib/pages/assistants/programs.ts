import type { TextKey } from '../../i18n/texts.ts';

/** How a person gives the address of the tools to a program. docs/clients.md has the programs. */
export interface AssistantProgram {
  readonly name: string;
  /** Where in the program's own windows. */
  readonly steps?: TextKey;
  /** For a terminal, or a file of settings. */
  readonly code?: (address: string) => string;
  /** After that. */
  readonly after?: TextKey;
}

const quoted = (value: unknown): string => JSON.stringify(value, undefined, 2);

export const assistantPrograms: readonly AssistantProgram[] = [
  { name: 'Claude', steps: 'assistants.claude' },
  {
    name: 'Claude Code',
    steps: 'assistants.terminal',
    code: (address) => `claude mcp add --transport http school ${address}`,
    after: 'assistants.claudeCode',
  },
  { name: 'ChatGPT', steps: 'assistants.chatgpt' },
  {
    name: 'Codex CLI',
    steps: 'assistants.terminal',
    code: (address) => `codex mcp add school --url ${address}\ncodex mcp login school`,
  },
  { name: 'VS Code', steps: 'assistants.vsCode' },
  {
    name: 'Cursor',
    steps: 'assistants.cursor',
    code: (url) => quoted({ mcpServers: { school: { url } } }),
    after: 'assistants.cursor.then',
  },
  { name: 'Copilot Studio', steps: 'assistants.copilotStudio' },
  {
    name: 'Gemini CLI',
    steps: 'assistants.terminal',
    code: (address) => `gemini mcp add --transport http school ${address}`,
    after: 'assistants.gemini',
  },
  {
    name: 'Zed',
    steps: 'assistants.zed',
    code: (url) => quoted({ context_servers: { school: { url } } }),
    after: 'assistants.zed.then',
  },
  {
    name: 'LibreChat',
    steps: 'assistants.libreChat',
    code: (url) => `mcpServers:\n  school:\n    type: streamable-http\n    url: ${url}`,
  },
  {
    name: 'MCP Inspector',
    steps: 'assistants.terminal',
    code: () => 'npx @modelcontextprotocol/inspector',
    after: 'assistants.inspector',
  },
];

/** For a program that can only start other programs: it connects for them. */
export const bridge = (address: string): string => `npx mcp-remote ${address}`;
