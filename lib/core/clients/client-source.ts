import type { DocumentScopes } from './allowance.ts';
import type { ClientFinder } from './finder.ts';

/** Where clients come from that nobody creates or registers at a school: their ids are URLs. Features make it. */
export interface ClientSource {
  /** Absent where no such client is accepted. */
  readonly find: ClientFinder | undefined;
  /** The same by what is stored: nothing is fetched. */
  readonly findStored: ClientFinder;
  /** Absent where no such client is accepted. */
  readonly scopes: DocumentScopes | undefined;
  /** Ends its fetches. Resolves when what they wanted to store is stored. */
  readonly close: () => Promise<void>;
}

/** Where no feature has such clients. */
export const noSource: ClientSource = {
  find: undefined,
  findStored: async () => undefined,
  scopes: undefined,
  close: async () => {},
};
