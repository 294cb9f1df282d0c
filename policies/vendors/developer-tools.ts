import { read, recorded, survey } from '../sources.ts';
import type { SourcedVendor } from './vendor-platform.ts';

export const developerTools: readonly SourcedVendor[] = [
  {
    clientId: 'cursor',
    clientName: 'Cursor',
    names: ['Cursor'],
    // The desktop application, the agents in the cloud, and Grok Bot, which registers as Cursor.
    redirectUris: [
      'cursor://anysphere.cursor-mcp/oauth/callback',
      'https://www.cursor.com/agents/mcp/oauth/callback',
      'http://localhost:8787/callback',
      'https://www.cursor.com/bot/mcp/oauth/callback',
      'grokbot://mcp/oauth/callback',
    ],
    clientUri: 'https://cursor.com',
    sources: [
      read('https://cursor.com/docs/mcp'),
      recorded('https://github.com/erp-mafia/accounted/pull/2225'),
      recorded('https://github.com/cursor/plugins/pull/461'),
    ],
  },
  {
    clientId: 'visual-studio-code',
    clientName: 'Visual Studio Code',
    names: ['Visual Studio Code', 'Visual Studio Code - Insiders', 'Code - OSS'],
    redirectUris: [
      'https://insiders.vscode.dev/redirect',
      'https://vscode.dev/redirect',
      'http://127.0.0.1/',
      'http://127.0.0.1:33418/',
    ],
    clientUri: 'https://code.visualstudio.com',
    sources: [read('https://github.com/microsoft/vscode/blob/main/src/vs/base/common/oauth.ts')],
  },
  {
    clientId: 'google-antigravity',
    clientName: 'Google Antigravity',
    names: ['Google Antigravity', 'antigravity-client'],
    redirectUris: ['https://antigravity.google/oauth-callback'],
    clientUri: 'https://antigravity.google',
    sources: [survey, recorded('https://github.com/google-antigravity/antigravity-cli/issues/480')],
  },
  {
    clientId: 'devin',
    clientName: 'Devin',
    names: ['Devin'],
    anyName: true,
    redirectUris: ['https://api.devin.ai/mcp/oauth/callback'],
    clientUri: 'https://devin.ai',
    sources: [read('https://docs.devin.ai/work-with-devin/mcp'), survey],
  },
  {
    clientId: 'warp',
    clientName: 'Warp',
    names: ['Warp'],
    // The desktop application, its preview, and the command line.
    redirectUris: [
      'warp://mcp/oauth2callback',
      'warppreview://mcp/oauth2callback',
      'http://127.0.0.1/mcp/oauth2callback',
    ],
    clientUri: 'https://www.warp.dev',
    sources: [read('https://github.com/warpdotdev/warp/blob/main/crates/mcp/src/oauth.rs')],
  },
  {
    clientId: 'mcpjam',
    clientName: 'MCPJam',
    names: ['MCPJam Connect', 'MCPJam Inspector Debug Client', /^MCPJam - .+$/],
    // The hosted inspector, the desktop application, and the local inspector.
    redirectUris: [
      'https://app.mcpjam.com/oauth/callback',
      'https://app.mcpjam.com/oauth/callback/debug',
      'mcpjam://oauth/callback',
      'http://localhost:6274/oauth/callback',
      'http://localhost:6274/oauth/callback/debug',
    ],
    clientUri: 'https://www.mcpjam.com',
    sources: [read('https://github.com/MCPJam/inspector/blob/main/sdk/src/oauth/client-identity.ts')],
  },
  {
    clientId: 'v0',
    clientName: 'v0',
    names: ['v0'],
    anyName: true,
    redirectUris: ['https://api.v0.dev/v1/mcp-servers/oauth/callback'],
    clientUri: 'https://v0.app',
    sources: [read('https://v0.app/docs/api/platform/guides/oauth-mcp-servers')],
  },
];
