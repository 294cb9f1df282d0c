import type { VendorPlatform } from './vendor-platform.ts';

/**
 * Well-known vendors for `vendorPlatforms`, to be used whole or filtered. Vendors can change their callbacks: compare a row
 * with the vendor's documentation before you depend on it. Windsurf and Bolt do not publish theirs, so those are guesses on
 * their own hosts; replace them with what the vendor tells you.
 */
export const wellKnownVendors: readonly VendorPlatform[] = [
  {
    clientId: 'claude',
    clientName: 'Claude',
    names: ['Claude', 'Claude.ai', 'claudeai'],
    // https://support.claude.com, Building custom connectors
    redirectUris: ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
    clientUri: 'https://claude.ai',
  },
  {
    clientId: 'cursor',
    clientName: 'Cursor',
    names: ['Cursor'],
    // https://cursor.com/docs/mcp: agents in the cloud, and the desktop application
    redirectUris: ['https://www.cursor.com/agents/mcp/oauth/callback', 'http://localhost:8787/callback'],
    clientUri: 'https://cursor.com',
  },
  {
    clientId: 'windsurf',
    clientName: 'Windsurf',
    names: ['Windsurf', 'Windsurf Editor'],
    redirectUris: ['https://windsurf.com/mcp/oauth/callback'],
    clientUri: 'https://windsurf.com',
  },
  {
    clientId: 'replit',
    clientName: 'Replit',
    names: ['Replit', 'Replit Agent'],
    // https://docs.replit.com/features/integrations/custom-connectors
    redirectUris: ['https://replit.com/connectors/oauth/callback'],
    clientUri: 'https://replit.com',
  },
  {
    clientId: 'lovable',
    clientName: 'Lovable',
    names: ['Lovable', 'Lovable.dev'],
    // https://docs.lovable.dev, connectors for the users of an app
    redirectUris: ['https://connector-gateway.lovable.dev/api/v1/app-users/oauth2/callback'],
    clientUri: 'https://lovable.dev',
  },
  {
    clientId: 'bolt',
    clientName: 'Bolt',
    names: ['Bolt', 'Bolt.new'],
    redirectUris: ['https://bolt.new/mcp/oauth/callback'],
    clientUri: 'https://bolt.new',
  },
];
