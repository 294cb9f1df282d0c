import type { Scope } from '../protocol/scopes.ts';
import type { ClientInfo } from './client.ts';
import type { MaybePromise, Member, Site } from './platform.ts';

/** The input of a consent policy. */
export interface ConsentRequest {
  /** The site at which the member signs in. */
  readonly site: Site;
  /** The person who is asked for consent. */
  readonly member: Member;
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
export type ConsentPolicy = (request: ConsentRequest) => MaybePromise<ConsentVerdict | undefined>;
