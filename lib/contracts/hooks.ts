import type { FeaturePageName } from '../features/texts.ts';
import type { JsonValue } from './json.ts';
import type { Scope } from '../protocol/scopes.ts';
import type { AuditEvent } from '../runtime/audit-event.ts';
import type { ClientInfo } from './client.ts';
import type { DescribedClient } from './connection.ts';
import type { ProgramRequest } from './program-request.ts';
import type { MaybePromise, Member, Site } from './platform.ts';

/** The input of a consent policy. */
export interface ConsentRequest<School extends Site = Site, Person extends Member = Member> {
  /** The site at which the member signs in. */
  readonly site: School;
  /** The person who is asked for consent. */
  readonly member: Person;
  /** The client that requests access. */
  readonly client: ClientInfo;
  /** The requested scopes, as narrowed by the previous policies. */
  readonly scopes: readonly Scope[];
}

/** The verdict of a consent policy. `text` is shown to the person. */
export type ConsentVerdict =
  | { readonly decision: 'allow' }
  | { readonly decision: 'narrow'; readonly scopes: readonly Scope[]; readonly text?: string | undefined }
  | { readonly decision: 'deny'; readonly text?: string | undefined };

/**
 * Decides whether a member may grant these scopes to this client. `undefined` allows them. If it throws or takes longer
 * than 10 seconds, that is a fault (503) and not a denial.
 */
export type ConsentPolicy<School extends Site = Site, Person extends Member = Member> = (
  request: ConsentRequest<School, Person>,
) => MaybePromise<ConsentVerdict | undefined>;

/** The input of `claims`. */
export interface ClaimsRequest<School extends Site = Site, Person extends Member = Member> {
  /** The site that the claims are about. */
  readonly site: School;
  /** The person that they are about. */
  readonly member: Person;
  /** The scopes of the access token that is used at UserInfo or issued with the ID token. */
  readonly scopes: readonly string[];
}

/**
 * Returns claims of the host, for UserInfo and the ID token alike. It is called for each of them, and only if the scope
 * `openid` was granted.
 *
 * A name must be namespaced, that is, contain `:` or `/`: `https://school.example/plan`, `harbour:plan`. No registered claim
 * does, so none can be overwritten (RFC 7519 section 4.2). There may be at most 50 claims, of at most 4,096 bytes of JSON
 * together. A claim of `undefined` or `null` is left out. Anything else that is wrong, an error, or no result within 10
 * seconds is a fault (503): there are never tokens without the claims.
 */
export type HostClaims<School extends Site = Site, Person extends Member = Member> = (
  request: ClaimsRequest<School, Person>,
) => MaybePromise<Readonly<Record<string, JsonValue | undefined>> | null | undefined>;

/** A page for a template. */
export interface PageView<School extends Site = Site> {
  /** Which page it is: `docs/pages.md` lists them. Pages that say what went wrong or is missing are `error`. */
  readonly page:
    | 'consent'
    | 'error'
    | 'applications'
    | 'connections'
    | 'programs'
    | 'activity'
    | 'connectedApps'
    | 'requests'
    | 'check'
    | 'assistants'
    | 'guide'
    | 'gallery'
    | FeaturePageName;
  /** The site that serves the page. */
  readonly site: School;
  /** Language tag for the attribute `lang` (BCP 47). */
  readonly language: string;
  /** Value of the attribute `dir`. */
  readonly direction: 'ltr' | 'rtl';
  /** Plain text; the template must escape it. */
  readonly title: string;
  /** HTML for `<main>`, including the `<h1>`. It is already escaped. */
  readonly content: string;
  /** CSS in the site's colours. If used, it must be the only content of its `<style>` element. */
  readonly style: string;
}

/**
 * Returns the whole HTML document for a page, starting with `<!doctype html>`, with `content` in it as it is. If it throws, takes
 * longer than 10 seconds or leaves `content` out, that is a fault, and the page is shown in the built-in document.
 */
export type PageTemplate<School extends Site = Site> = (page: PageView<School>) => MaybePromise<string>;

/** What has happened: the audit event, and whom and what it names. */
export interface HookEvent<School extends Site = Site, Person extends Member = Member> extends AuditEvent {
  /** The school. */
  readonly site: School;
  /** The person of `memberId`. Absent without one, after they have left the school, and while the platform fails. */
  readonly member?: Person | undefined;
  /** The client of `clientId`, as it is now. Absent without one. */
  readonly client?: DescribedClient | undefined;
  /** The request of a member that was made or decided. Absent from other events. */
  readonly request?: ProgramRequest | undefined;
}

/**
 * Is called after something has happened: it delays no response and changes none. If it throws or takes longer than 10
 * seconds, that is a fault which names it.
 */
export type Hook<School extends Site = Site, Person extends Member = Member> = (
  event: HookEvent<School, Person>,
) => MaybePromise<void>;

/**
 * Ten calls run at the same time in a process, and 1,000 wait. What comes then is left out, and a fault says how many that were. A call
 * that waits when the process ends is lost.
 */
export interface CampusHooks<School extends Site = Site, Person extends Member = Member> {
  /** A person has allowed a client something. `first`: they had no connection with it. @default none */
  readonly connected?: Hook<School, Person> | undefined;
  /** The member, the school or the host has ended connections: one of `member`, or `connections` of them. @default none */
  readonly disconnected?: Hook<School, Person> | undefined;
  /**
   * A metadata document begins to wait for a review: it was shown for the first time, or an approved one has changed. Or a member asks for
   * an application, with `request`. @default none
   */
  readonly requested?: Hook<School, Person> | undefined;
  /** An operator has decided on a metadata document, or on the `request` of a member; `decision` says how. @default none */
  readonly reviewed?: Hook<School, Person> | undefined;
}
