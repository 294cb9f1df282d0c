import { cursor } from '../behaviours.ts';
import type { ClientProgram } from '../program.ts';

const scheme = 'cursor://anysphere.cursor-mcp/oauth/callback';
const cloud = 'https://www.cursor.com/agents/mcp/oauth/callback';
const loopback = 'http://localhost:8787/callback';

function row(name: string, redirectUris: readonly string[], redirectUri: string): ClientProgram {
  return {
    name,
    source: 'recorded',
    behaviour: cursor,
    redirectUri,
    registration: { clientName: 'Cursor', redirectUris, authMethods: ['none'], scope: 'asked' },
  };
}

export const cursorPrograms: readonly ClientProgram[] = [
  row('Cursor', [scheme, cloud, loopback], loopback),
  row('Cursor, back through cursor://', [scheme, cloud, loopback], scheme),
  row('Cursor, older', [scheme], scheme),
  row('Cursor cloud agents', [cloud], cloud),
];
