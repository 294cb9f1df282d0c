import { gemini, inspector, mcpRemote, rustSdk, typescriptSdk1, typescriptSdk2, zed } from '../behaviours.ts';
import type { ClientProgram, KnownProgram, RegistrationBehaviour } from '../program.ts';

/** A program on the person's own computer, without a secret. */
function local(
  clientName: string,
  redirectUri: string,
  more: Pick<RegistrationBehaviour, 'applicationType' | 'scope'> = {},
): Pick<ClientProgram, 'redirectUri' | 'registration'> {
  return { redirectUri, registration: { clientName, redirectUris: [redirectUri], authMethods: ['none'], ...more } };
}

const inspectorMetadata = { applicationType: 'native', scope: 'empty' } as const;

export const toolPrograms: readonly KnownProgram[] = [
  {
    product: 'gemini-cli',
    name: 'Gemini CLI',
    source: 'read',
    behaviour: gemini,
    ...local('Gemini CLI MCP Client', 'http://localhost:7777/oauth/callback'),
  },
  {
    product: 'mcp-remote',
    name: 'mcp-remote',
    source: 'read',
    behaviour: mcpRemote,
    ...local('MCP CLI Client', 'http://localhost:3334/oauth/callback', { scope: 'asked' }),
  },
  {
    // A page, which calls every endpoint itself.
    product: 'mcp-inspector',
    name: 'MCP Inspector, web',
    source: 'read',
    behaviour: inspector,
    ...local('MCP Inspector', 'http://localhost:6274/oauth/callback', inspectorMetadata),
    page: 'http://localhost:6274',
  },
  {
    product: 'mcp-inspector',
    name: 'MCP Inspector, command line',
    source: 'read',
    behaviour: inspector,
    ...local('MCP Inspector', 'http://127.0.0.1:6276/oauth/callback', inspectorMetadata),
  },
  {
    product: 'rmcp',
    name: 'rmcp example',
    source: 'read',
    behaviour: rustSdk,
    ...local('rmcp', 'http://127.0.0.1:8080/callback', { applicationType: 'native' }),
  },
  {
    product: 'typescript-sdk-1',
    name: 'Programs on TypeScript SDK 1',
    source: 'read',
    behaviour: typescriptSdk1,
    ...local('Example MCP Client', 'http://localhost:8090/callback', { scope: 'asked' }),
  },
  {
    product: 'typescript-sdk-2',
    name: 'Programs on TypeScript SDK 2',
    source: 'read',
    behaviour: typescriptSdk2,
    ...local('Example MCP Client', 'http://localhost:8090/callback', { scope: 'asked' }),
  },
  {
    // It registers only where documents are not advertised.
    product: 'zed',
    name: 'Zed',
    source: 'read',
    behaviour: zed,
    ...local('Zed', 'http://127.0.0.1:27523/callback'),
    document: 'https://zed.dev/oauth/client-metadata.json',
  },
];
