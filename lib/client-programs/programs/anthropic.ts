import { claude, claudeCode } from '../behaviours.ts';
import type { KnownProgram } from '../program.ts';

const callback = 'https://claude.ai/api/mcp/auth_callback';

export const anthropicPrograms: readonly KnownProgram[] = [
  {
    product: 'claude',
    name: 'Claude.ai, registered',
    source: 'recorded',
    behaviour: claude,
    redirectUri: callback,
    registration: { clientName: 'Claude', redirectUris: [callback], authMethods: ['client_secret_post', 'none'] },
  },
  {
    product: 'claude',
    name: 'Claude.ai, document',
    source: 'recorded',
    behaviour: claude,
    redirectUri: callback,
    document: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
  },
  {
    product: 'claude-code',
    name: 'Claude Code, registered',
    source: 'recorded',
    behaviour: claudeCode,
    redirectUri: 'http://localhost:54213/callback',
    registration: {
      clientName: 'Claude Code (harbour)',
      redirectUris: ['http://localhost:54213/callback'],
      authMethods: ['none'],
      scope: 'asked',
    },
  },
  {
    product: 'claude-code',
    name: 'Claude Code, document',
    source: 'recorded',
    behaviour: claudeCode,
    redirectUri: 'http://localhost:54213/callback',
    document: 'https://claude.ai/oauth/claude-code-client-metadata',
  },
  {
    product: 'claude-code',
    name: 'Claude Code, document, back to 127.0.0.1',
    source: 'recorded',
    behaviour: claudeCode,
    redirectUri: 'http://127.0.0.1:54213/callback',
    document: 'https://claude.ai/oauth/claude-code-client-metadata',
  },
];
