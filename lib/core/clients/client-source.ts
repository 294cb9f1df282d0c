import type { ClientFinder } from './client-finder.ts';

/** What the client of a metadata document may get at a school. */
export interface GivenToDocument {
  readonly scopes: readonly string[];
  /** Whether the school, or the policy of the platform, has approved this version. */
  readonly reviewed: boolean;
}

/** The same; `rejected` by the school; `undefined` if the policy does not permit it. */
export type DocumentScopes = (siteId: string, clientId: string) => Promise<GivenToDocument | 'rejected' | undefined>;

/** A document whose host did not answer when it was last asked, so that a copy serves. */
export interface ServedCopy {
  readonly clientId: string;
  /** Why it was not fetched. */
  readonly reason: string;
  /** The day of a copy that came with the policy. Absent for the last good copy, which serves for some days. */
  readonly date?: string | undefined;
}

/** Says to `campus-oidc doctor` that a copy of the document of a client serves, since its host did not answer. */
export const servedCopyHeader = 'Campus-Document-Copy';

/** Where clients come from that nobody creates or registers at a school: their ids are URLs. Features make it. */
export interface ClientSource {
  /** Absent where no such client is accepted. */
  readonly find: ClientFinder | undefined;
  /** The same by what is stored: nothing is fetched. */
  readonly findStored: ClientFinder;
  /** Absent where no such client is accepted. */
  readonly scopes: DocumentScopes | undefined;
  /** The documents of which a copy serves, some at most. Each process knows its own. */
  readonly servedCopies: () => readonly ServedCopy[];
  /** Ends its fetches. Resolves when what they wanted to store is stored. */
  readonly close: () => Promise<void>;
}

/** Where no feature has such clients. */
export const noSource: ClientSource = {
  find: undefined,
  findStored: async () => undefined,
  scopes: undefined,
  servedCopies: () => [],
  close: async () => {},
};
