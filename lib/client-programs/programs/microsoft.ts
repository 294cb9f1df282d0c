import { strictest, visualStudioCode } from '../behaviours.ts';
import type { ClientProgram, KnownProgram } from '../program.ts';

const document = 'https://vscode.dev/oauth/client-metadata.json';

function registered(redirectUri: string): Pick<ClientProgram, 'redirectUri' | 'registration'> {
  return {
    redirectUri,
    registration: {
      clientName: 'Visual Studio Code',
      redirectUris: [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://127.0.0.1/',
        'http://127.0.0.1:33418/',
      ],
      authMethods: ['none'],
      applicationType: 'native',
      scope: 'asked',
    },
  };
}

const consent = 'https://global.consent.azure-apim.net/redirect/new-5fharbour-20mcp-5fdfde809e1caf448f';

export const microsoftPrograms: readonly KnownProgram[] = [
  {
    product: 'vs-code',
    name: 'VS Code, registered',
    source: 'read',
    behaviour: visualStudioCode,
    ...registered('http://127.0.0.1:33418/'),
  },
  {
    product: 'vs-code',
    name: 'VS Code, registered, another port',
    source: 'read',
    behaviour: visualStudioCode,
    ...registered('http://127.0.0.1:52044/'),
  },
  {
    product: 'vs-code',
    name: 'VS Code, registered, back through vscode.dev',
    source: 'read',
    behaviour: visualStudioCode,
    ...registered('https://vscode.dev/redirect'),
  },
  {
    product: 'vs-code-insiders',
    name: 'VS Code Insiders, registered',
    source: 'read',
    behaviour: visualStudioCode,
    ...registered('https://insiders.vscode.dev/redirect'),
  },
  {
    product: 'vs-code',
    name: 'VS Code, document',
    source: 'read',
    behaviour: visualStudioCode,
    ...registered('http://127.0.0.1:52044/'),
    document,
  },
  {
    product: 'vs-code',
    name: 'VS Code, document, back through vscode.dev',
    source: 'read',
    behaviour: visualStudioCode,
    ...registered('https://vscode.dev/redirect'),
    document,
  },
  {
    // The callback of each tool has a path of its own. Which name it registers under is not recorded.
    product: 'copilot-studio',
    name: 'Copilot Studio',
    source: 'recorded',
    behaviour: strictest,
    redirectUri: consent,
    registration: {
      clientName: 'Harbour courses',
      redirectUris: [consent],
      authMethods: ['client_secret_post'],
    },
  },
];
