import { recorded } from '../../lib/core/known-apps/sources.ts';
import { oneClient, type SourcedVendor } from './vendor-platform.ts';

export const developerTools: readonly SourcedVendor[] = [
  oneClient(
    'cursor',
    // The desktop application, the agents in the cloud, and Grok Bot, which registers as Cursor.
    [
      'cursor://anysphere.cursor-mcp/oauth/callback',
      'https://www.cursor.com/agents/mcp/oauth/callback',
      'http://localhost:8787/callback',
      'https://www.cursor.com/bot/mcp/oauth/callback',
      'grokbot://mcp/oauth/callback',
    ],
    {
      sources: [
        recorded('https://github.com/erp-mafia/accounted/pull/2225'),
        recorded('https://github.com/cursor/plugins/pull/461'),
      ],
    },
  ),
  oneClient(
    'vs-code',
    [
      'https://insiders.vscode.dev/redirect',
      'https://vscode.dev/redirect',
      'http://127.0.0.1/',
      'http://127.0.0.1:33418/',
    ],
    { clientId: 'visual-studio-code' },
  ),
  oneClient('google-antigravity', ['https://antigravity.google/oauth-callback'], {
    sources: [recorded('https://github.com/google-antigravity/antigravity-cli/issues/480')],
  }),
  oneClient('devin', ['https://api.devin.ai/mcp/oauth/callback'], {
    anyName: true,
    sources: [recorded('https://github.com/koala73/worldmonitor/pull/8307')],
  }),
  // The desktop application, its preview, and the command line.
  oneClient('warp', [
    'warp://mcp/oauth2callback',
    'warppreview://mcp/oauth2callback',
    'http://127.0.0.1/mcp/oauth2callback',
  ]),
  oneClient(
    'mcpjam',
    // The hosted inspector, the desktop application, and the local inspector.
    [
      'https://app.mcpjam.com/oauth/callback',
      'https://app.mcpjam.com/oauth/callback/debug',
      'mcpjam://oauth/callback',
      'http://localhost:6274/oauth/callback',
      'http://localhost:6274/oauth/callback/debug',
    ],
    { names: ['MCPJam Connect', 'MCPJam Inspector Debug Client', /^MCPJam - .+$/] },
  ),
  // Its metadata document has no redirect URI under its own host, so it is not accepted.
  oneClient('postman', ['https://oauth.pstmn.io/v1/callback', 'https://oauth.pstmn.io/v1/browser-callback'], {
    anyName: true,
  }),
  oneClient('raycast', ['https://raycast.com/redirect?packageName=Extension'], { anyName: true }),
  oneClient('v0', ['https://api.v0.dev/v1/mcp-servers/oauth/callback'], { anyName: true }),
];
