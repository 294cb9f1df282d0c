import { cursor } from '../behaviours.ts';
import type { KnownProgram } from '../program.ts';

const scheme = 'cursor://anysphere.cursor-mcp/oauth/callback';
const cloud = 'https://www.cursor.com/agents/mcp/oauth/callback';
const loopback = 'http://localhost:8787/callback';

function row(
  product: 'cursor' | 'cursor-cloud-agents',
  name: string,
  redirectUris: readonly string[],
  redirectUri: string,
): KnownProgram {
  return {
    product,
    name,
    source: 'recorded',
    behaviour: cursor,
    redirectUri,
    registration: { clientName: 'Cursor', redirectUris, authMethods: ['none'], scope: 'asked' },
  };
}

export const cursorPrograms: readonly KnownProgram[] = [
  row('cursor', 'Cursor', [scheme, cloud, loopback], loopback),
  row('cursor', 'Cursor, back through cursor://', [scheme, cloud, loopback], scheme),
  row('cursor', 'Cursor, older', [scheme], scheme),
  row('cursor-cloud-agents', 'Cursor cloud agents', [cloud], cloud),
];
