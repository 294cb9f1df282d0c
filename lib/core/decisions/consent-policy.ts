import type { Scope } from '../scopes/scopes.ts';
import type { ClientInfo } from '../clients/client.ts';
import { clientInfo } from '../clients/client-metadata.ts';
import type { ClientMetadata } from '../../records/codec.ts';
import { clientVersion } from './allowance.ts';
import type { MaybePromise, Member, Service, Site } from '../../host/school-platform.ts';

/** What a consent policy is asked about, for people and services. */
interface PolicyInput<School extends Site> {
  /** The school at which the member signs in, or the service requests a token. */
  readonly site: School;
  /** The client that requests access. */
  readonly client: ClientInfo;
  /** What can be given as far as roles, rules and approvals say. Each policy gets the same, so their order does not matter. */
  readonly scopes: readonly Scope[];
  /** The school's approval of the client in this version, if there is one. It is never assumed: with the purpose `approve` there may be none yet. */
  readonly approved: Approval | undefined;
}

/** The input of a consent policy, about a client that a person connects. */
export interface PersonConsentRequest<
  School extends Site = Site,
  Person extends Member = Member,
> extends PolicyInput<School> {
  /** The person who is asked for consent. */
  readonly member: Person;
  readonly service?: undefined;
  /**
   * Why the policy is asked.
   *
   * - `ask`: the person decides, now or at a later use, about what they can be asked for.
   * - `approve`: `member` may approve the client for the school. What the policy leaves can be approved by this person; `deny` says that an
   *   approval by this person does not count.
   * - `first_party`: the client is part of the platform, so its grant is written without a page.
   * - `explain`: nobody is asked, and nothing is written: `campus.explain` and the preview of a consent page. Decide as for `first_party`
   *   where `client.firstParty`, otherwise as for `ask`.
   */
  readonly purpose: PersonPurpose;
}

/** The input of a consent policy, about a service: it acts for the school, so no person is asked. */
export interface ServiceConsentRequest<School extends Site = Site> extends PolicyInput<School> {
  readonly member?: undefined;
  /** What the platform says of it. */
  readonly service: Service;
  /**
   * Why the policy is asked.
   *
   * - `service`: the service requests an access token. What the policy takes away is not in that token; `deny` refuses it.
   * - `explain`: `campus.explain`. Decide as for `service`.
   */
  readonly purpose: ServicePurpose;
}

/** The input of a consent policy. It has a `member`, or, of a service, `service`. */
export type ConsentRequest<School extends Site = Site, Person extends Member = Member> =
  PersonConsentRequest<School, Person> | ServiceConsentRequest<School>;

/** Why a policy is asked about a client that a person connects. */
export type PersonPurpose = 'ask' | 'approve' | 'first_party' | 'explain';

/** Why a policy is asked about a service. */
export type ServicePurpose = 'service' | 'explain';

/** Why a consent policy is asked. */
export type ConsentPurpose = PersonPurpose | ServicePurpose;

/** A school's approval of a client. */
export interface Approval {
  /** When it was given, in seconds since the epoch. */
  readonly at: number;
  /** The id of the member who gave it. @default unknown: the host has not said it */
  readonly by?: string | undefined;
}

/** The verdict of a consent policy. `text` is shown to the person. */
export type ConsentVerdict =
  | { readonly decision: 'allow' }
  | { readonly decision: 'narrow'; readonly scopes: readonly Scope[]; readonly text?: string | undefined }
  | { readonly decision: 'deny'; readonly text?: string | undefined };

/**
 * Decides whether a member may grant these scopes to this client, or a service may have them. `undefined` allows them. If it throws or takes longer
 * than 10 seconds, that is a fault (503) and not a denial.
 */
export type ConsentPolicy<School extends Site = Site, Person extends Member = Member> = (
  request: ConsentRequest<School, Person>,
) => MaybePromise<ConsentVerdict | undefined>;

/** A school's approval of a version of a client. */
export type ApprovalFinder = (siteId: string, clientId: string, digest: string) => Promise<Approval | undefined>;

export interface ConsentOutcome {
  readonly scopes: readonly Scope[];
  readonly denied: boolean;
  /** Explanations of the policies, for the person. */
  readonly texts: readonly string[];
}

export interface PolicySources {
  readonly consent: readonly ConsentPolicy[];
  readonly approvalOf: ApprovalFinder;
}

/** What consent policies are asked about a person: a client as it is stored, or was fetched. */
export interface PolicyQuestion {
  readonly site: Site;
  readonly member: Member;
  readonly metadata: ClientMetadata;
  readonly scopes: readonly Scope[];
  readonly purpose: PersonPurpose;
}

/** The same about a service. */
export interface ServicePolicyQuestion {
  readonly site: Site;
  readonly service: Service;
  readonly metadata: ClientMetadata;
  readonly scopes: readonly Scope[];
  readonly purpose: ServicePurpose;
}

/** Asks the policies in order. What is left is what all of them leave: a policy cannot add a scope. */
export async function askConsentPolicies(
  { consent, approvalOf }: PolicySources,
  { metadata, ...question }: PolicyQuestion | ServicePolicyQuestion,
): Promise<ConsentOutcome> {
  // Nothing is read without a policy.
  if (consent.length === 0) return { scopes: question.scopes, denied: false, texts: [] };
  const client = clientInfo(metadata);
  const approved = await approvalOf(question.site.id, client.clientId, clientVersion(metadata));
  return applyPolicies(consent, { ...question, client, approved });
}

async function applyPolicies(policies: readonly ConsentPolicy[], request: ConsentRequest): Promise<ConsentOutcome> {
  let scopes = request.scopes;
  const texts: string[] = [];
  for (const policy of policies) {
    const verdict = await policy(request);
    if (verdict === undefined || verdict.decision === 'allow') continue;
    if (verdict.text) texts.push(verdict.text);
    if (verdict.decision === 'deny') return { scopes: [], denied: true, texts };
    const left = new Set(verdict.scopes);
    scopes = scopes.filter((scope) => left.has(scope));
  }
  return { scopes, denied: scopes.length === 0 && request.scopes.length > 0, texts };
}
