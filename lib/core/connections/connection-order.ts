import { orderOf } from '../clients/paging.ts';
import type { Connection } from './connection.ts';

const byName = orderOf('name');

/** Returns the latest allowed first. Connections of the same second are in order of name, then of client. */
export function newestFirst(connections: readonly (Connection | undefined)[]): Connection[] {
  return connections
    .filter((each) => each !== undefined)
    .sort((a, b) => b.allowedAt - a.allowedAt || byName(a, b) || (a.clientId < b.clientId ? -1 : 1));
}
