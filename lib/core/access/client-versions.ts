import type { DocumentRecord } from '../../records/codec.ts';
import type { DescribedApp } from '../known-apps/known-apps.ts';
import type { LogoFinder } from './shown-documents.ts';

/** A copy of a client that came with a policy, and was never fetched. */
interface ShippedVersion {
  readonly digest: string;
  /** The day of the copy. */
  readonly date?: string | undefined;
}

/** The current versions of clients that change elsewhere, on which schools decide. Features make it. */
export interface ClientVersions {
  /** What was fetched last. */
  readonly find: (clientId: string) => Promise<DocumentRecord | undefined>;
  /** The copy that serves until something is fetched, if nothing was. */
  readonly shipped: (clientId: string, stored: DocumentRecord | undefined) => ShippedVersion | undefined;
  /** The app that is known by the id alone. */
  readonly appOf: (clientId: string) => DescribedApp | undefined;
  readonly findLogo: LogoFinder;
  /** Notes that somebody has allowed or approved the version with this digest, so that what is stored stays. */
  readonly markUsed: (clientId: string, digest: string, grantLifetime: number) => Promise<void>;
}

/** Where no feature has such clients. */
export const noVersions: ClientVersions = {
  find: async () => undefined,
  shipped: () => undefined,
  appOf: () => undefined,
  findLogo: async () => undefined,
  markUsed: async () => {},
};
