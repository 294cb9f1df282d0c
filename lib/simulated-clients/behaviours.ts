import type { ClientBehaviour } from './simulated-client.ts';

/** `@modelcontextprotocol/sdk`: after a 403 it refreshes, gets the same scopes, and gives up. */
export const typescriptSdk1: ClientBehaviour = {
  start: 'unauthorized',
  lookups: ['challenge', 'path', 'root'],
  compare: 'prefix',
  mismatch: 'stop',
  resource: 'metadata',
  resourceAt: ['exchange', 'refresh'],
  scopes: [['challenge'], ['resource']],
  offlineAccess: false,
  retriesWithoutScope: false,
  stepUp: 'refresh',
  checksIssuer: false,
  scopeAtRefresh: false,
};

/** `@modelcontextprotocol/client`. */
export const typescriptSdk2: ClientBehaviour = { ...typescriptSdk1, stepUp: 'union' };

/** rmcp, the Rust SDK. */
export const rustSdk: ClientBehaviour = {
  ...typescriptSdk1,
  scopes: [['challenge', 'resource'], ['server']],
  stepUp: 'union',
  checksIssuer: true,
  scopeAtRefresh: true,
};

/**
 * An app of which too little is recorded: it does the strictest that any other does. What suits it also suits the real one,
 * as far as that is known.
 */
export const strictest: ClientBehaviour = {
  ...typescriptSdk1,
  start: 'login',
  compare: 'equal',
  resource: 'typed',
  stepUp: 'none',
};

export const claude: ClientBehaviour = { ...strictest, offlineAccess: true, stepUp: 'union' };

export const claudeCode: ClientBehaviour = {
  ...typescriptSdk1,
  start: 'login',
  offlineAccess: true,
  checksIssuer: true,
};

export const chatgpt: ClientBehaviour = { ...strictest, offlineAccess: true, stepUp: 'union', checksIssuer: true };

/** Built on rmcp. */
export const codex: ClientBehaviour = {
  ...rustSdk,
  start: 'login',
  scopes: [['server']],
  retriesWithoutScope: true,
  stepUp: 'none',
};

export const gemini: ClientBehaviour = { ...strictest, scopes: [['server']] };

/** Built on the TypeScript SDK. */
export const cursor: ClientBehaviour = { ...typescriptSdk1, scopes: [['server']] };

export const mcpRemote: ClientBehaviour = { ...typescriptSdk1, scopes: [['challenge'], ['resource'], ['server']] };

export const inspector: ClientBehaviour = { ...typescriptSdk2, checksIssuer: true };

/** Metadata of another address is thrown away. */
export const visualStudioCode: ClientBehaviour = {
  ...typescriptSdk1,
  compare: 'equal',
  mismatch: 'ignore',
  stepUp: 'challenge',
};

export const zed: ClientBehaviour = {
  ...typescriptSdk1,
  compare: 'none',
  mismatch: 'ignore',
  resource: 'metadata without slash',
  stepUp: 'none',
};

/** Signs in as soon as it has found protected-resource metadata. */
export const libreChat: ClientBehaviour = {
  ...typescriptSdk1,
  start: 'metadata',
  resourceAt: ['exchange'],
  scopes: [['resource'], ['server']],
  stepUp: 'none',
};
