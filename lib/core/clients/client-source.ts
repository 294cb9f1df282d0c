import type { ClientFinder } from './client-finder.ts';

/** The scopes that the client of a metadata document may get at a site; `rejected` by the school; `undefined` if the policy does not permit it. */
export type DocumentScopes = (siteId: string, clientId: string) => Promise<readonly string[] | 'rejected' | undefined>;

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
