import type { Scope } from '../scopes/scopes.ts';
import type { ClientInfo } from '../clients/client.ts';
import type { MaybePromise, Member, Site } from '../../host/school-platform.ts';

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
