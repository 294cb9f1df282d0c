import type { Site } from '../../host/school-platform.ts';
import type { ClientAudience, AppInfo } from '../clients/client.ts';

/** What the consent page has shown of a document. */
export interface ShownDocument {
  readonly clientId: string;
  readonly clientName: string;
  readonly audience: ClientAudience;
  readonly app?: AppInfo | undefined;
  readonly redirectUris: readonly string[];
  readonly digest: string;
}

export type DocumentSeen = (site: Site, memberId: string, shown: ShownDocument) => Promise<void>;

/** The digest covers address and picture, since the picture at an address can change. */
export interface Logo {
  /** A `data:` URL. */
  readonly picture: string;
  readonly digest: string;
}

/** The logo at an address; `undefined` if none can be shown now. */
export type LogoFinder = (siteId: string, address: string) => Promise<Logo | undefined>;
