import type { Connections } from '../contracts/connection.ts';
import type { RecordStore } from '../records/record-store.ts';
import { type BlockCheck, createClientBlocks } from './blocks.ts';
import { type ClientActive, createConnectedClients } from './connected-clients.ts';
import { type ConnectionsOptions, createConnections } from './connections.ts';

/** The connections of members and of schools, and what must be told to them and asked of them. */
export interface ConnectionServices {
  readonly connections: Connections;
  readonly isBlocked: BlockCheck;
  readonly clientActive: ClientActive;
}

export function createConnectionServices(
  options: ConnectionsOptions & { readonly store: RecordStore },
): ConnectionServices {
  const { isBlocked, ...blocks } = createClientBlocks(options);
  const { clientActive, ...connected } = createConnectedClients(options);
  return { connections: { ...createConnections(options), ...connected, ...blocks }, isBlocked, clientActive };
}
