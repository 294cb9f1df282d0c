import { libreChat } from '../behaviours.ts';
import type { KnownProgram } from '../program.ts';

const callback = 'https://chat.harbour.example/api/mcp/harbour/oauth/callback';

/** Programs at an address of their operator's own, which no vendor row can know. */
export const selfHostedPrograms: readonly KnownProgram[] = [
  {
    product: 'libre-chat',
    name: 'LibreChat',
    source: 'read',
    behaviour: libreChat,
    redirectUri: callback,
    registration: {
      clientName: 'LibreChat MCP Client',
      redirectUris: [callback],
      authMethods: ['client_secret_post', 'none'],
      scope: 'asked',
    },
  },
];
