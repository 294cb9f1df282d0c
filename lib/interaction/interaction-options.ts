import type { Context } from 'koa';
import type { ConsentOptions } from '../core/grants/consent.ts';
import type { MemberLimiter } from '../core/limits/request-limiters.ts';
import type { Decided } from '../core/clients/client-status.ts';
import type { ShownVersions } from '../core/access/app-review.ts';
import type { DocumentSeen, LogoFinder } from '../core/access/shown-documents.ts';
import type { EngineFinder } from '../engine/engine.ts';
import type { RequestSources } from '../engine/engine-request.ts';
import type { Site } from '../host/school-platform.ts';
import type { AlwaysOpen } from '../pages/kit/always-sees.ts';
import type { CsrfTokens } from '../pages/kit/csrf-tokens.ts';
import type { Pages } from '../pages/kit/pages.ts';
import type { WantedClient, AppRequest } from '../core/applications/request.ts';

/** Asks the school to let a person connect a client. */
type AskToConnect = (site: Site, memberId: string, client: WantedClient) => Promise<AppRequest>;

/** What sign-in and consent are made from. */
export interface InteractionOptions extends RequestSources {
  readonly consenting: ConsentOptions;
  readonly engineOf: EngineFinder;
  readonly reviews: ConsentReviews;
  readonly csrfTokens: CsrfTokens;
  readonly limitPages: MemberLimiter;
  readonly pages: Pages;
  readonly signInLost: LostSignInCheck;
  readonly yourApps: string | undefined;
  /** Where people find what they have asked the school for. */
  readonly requestsPath: string | undefined;
  /** Where administrators decide on apps. */
  readonly connectionsPath: string | undefined;
  /** Asks the school to let a person connect a client. Absent where administrators have no page for it. */
  readonly askToConnect: AskToConnect | undefined;
  readonly open: AlwaysOpen;
  /** Called for each consent to a client without a metadata document. */
  readonly extendRegistration: (site: Site, clientId: string) => Promise<void>;
}

/** What a consent to a client whose versions the school decides on shows, approves and notes. */
interface ConsentReviews {
  readonly documents: ShownVersions;
  readonly decidedOn: (siteId: string, clientId: string) => Promise<Decided | undefined>;
  readonly recordShown: DocumentSeen;
  /** Called for each consent to such a client, with the digest of what the person was shown. */
  readonly markUsed: (site: Site, clientId: string, digest: string) => Promise<void>;
  readonly findLogo: LogoFinder;
}

/** Looks at a browser in which no one is signed in, and which was sent to the sign-in page so many times for this request. */
export type LostSignInCheck = (ctx: Context, visits: number) => void;
