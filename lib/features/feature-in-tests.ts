import type { Settings } from '../options/options.ts';
import type { Records } from '../records/records.ts';

/** What a feature that is a source of clients does in the campus of `issueTokens` and `expectClientConnects`. */
export interface FeatureInTests {
  /** Whether apps can use the addresses of their metadata documents. */
  readonly takesDocuments: (settings: Settings) => boolean;
  /** The same settings, for clients without their private keys. */
  readonly withoutKeys: (settings: Settings) => Settings;
  /** Puts a client that is widely used where it would be after a fetch, so that none is needed. */
  readonly storeClient: (settings: Settings, records: Records, clientId: string) => Promise<void>;
}
