import { boundariesOf } from '../core/boundaries/boundary.ts';
import type { Refusal } from '../core/access/who-can-change.ts';
import { clientVersion } from '../core/access/used-client.ts';
import { outcomeOf, type Permission, textsFor } from '../core/access/permission.ts';
import type { RuleText } from '../core/access/rule.ts';
import type { Decider } from '../core/access/rule.ts';
import { clientInfo } from '../core/clients/client-metadata.ts';
import type { ClientInfo } from '../core/clients/client.ts';
import type { ShownVersion } from '../core/access/app-review.ts';
import type { Member } from '../host/school-platform.ts';
import { choosable } from '../pages/kit/permissions.ts';
import { type Scope, splitScope } from '../core/scopes/scopes.ts';
import { type ClientMetadata, optional, text } from '../records/codec.ts';
import type { Interaction } from './interaction.ts';
import { limitIsGone } from './limit-is-gone.ts';

/** What can be given. */
interface ConsentOutcome {
  readonly scopes: readonly Scope[];
  readonly denied: boolean;
  /** Texts of the rules that have taken something away. */
  readonly texts: readonly RuleText[];
}

/** What the person decides on. */
export interface PendingConsent {
  readonly member: Member;
  readonly client: ClientInfo;
  readonly metadata: ClientMetadata;
  /** What an approval is bound to. */
  readonly digest: string;
  readonly requested: readonly Scope[];
  /** Whether the client knows the person by a pseudonym. */
  readonly pseudonym: boolean;
  /** Denied if the client gets nothing now, and would get nothing after an approval. */
  readonly outcome: ConsentOutcome;
  /** What it also asks for, and gets only once an administrator has approved its document. */
  readonly beyond: readonly Scope[];
  /** Whether it also asks for what waits for an administrator, also if this person is one. If nothing can be given: whether an approval helps. */
  readonly waits: boolean;
  /** What an approval by this person counts for. */
  readonly approval: readonly Scope[];
  /** What an administrator can approve here, if it waits for that. */
  readonly document: ShownVersion | undefined;
  /** Whether a policy takes something away. */
  readonly isOfPolicy: boolean;
  /** Why nobody, or not this person, can connect the client. */
  readonly refusal: Refusal | undefined;
  /** Whose decision that is, if somebody can decide otherwise. */
  readonly decider: Decider | undefined;
  /** The roles of which the person needs one. */
  readonly roles: readonly string[];
  /** Whether a decision of the school would help, which is another person's. */
  readonly asksSchool: boolean;
  /** Whether this person can decide otherwise for the school. */
  readonly mayChange: boolean;
  /** The types of boundaries that the person decides on. */
  readonly limits: readonly string[];
  /** Those of them for which a rule demands a limit. */
  readonly demanded: readonly string[];
  /** Whether the connection is limited by something that the platform no longer has, so that it has to begin again. */
  readonly limitGone: boolean;
}

/** Returns nothing if the person or the client no longer exists. */
export async function pendingConsent(interaction: Interaction, memberId: string): Promise<PendingConsent | undefined> {
  const { options, request, route } = interaction;
  const { site } = route;
  const { catalogue } = options.consenting;
  const clientId = interaction.parameter('client_id');
  const [member, metadata] = await Promise.all([request.member(memberId), request.client(clientId)]);
  if (!member || !metadata) return undefined;
  const client = clientInfo(metadata);
  const isDocument = client.source === 'document';
  const digest = clientVersion(metadata);
  const requested = splitScope(interaction.parameter('scope')).filter(catalogue.has);
  const permission = await request.permit(clientId, memberId, requested);
  const { pseudonym, rule, refused, scopes } = permission;
  const demanded = rule.limited ?? [];
  const limitGone = await limitIsGone(interaction, memberId, clientId);
  const shared = { member, client, metadata, digest, requested, pseudonym, demanded, limitGone };
  const isOthers = !options.core.access.rights.mayDecide(member);
  const isOfPolicy = permission.taken.some(({ policy }) => policy !== undefined);
  const isUnreviewed = isDocument && !client.reviewed;
  const mayWait = permission.waiting.length > 0 || isUnreviewed || isOfPolicy;
  const isApproving = isOthers ? refused?.by === 'platform' && isOfPolicy : mayWait;
  const approved = isApproving ? await request.permitApproval(clientId, memberId, requested) : permission;
  if (refused && approved.refused) {
    const outcome = { scopes: [], denied: true, texts: textsFor(permission) };
    const ofSchool = isOfSchool(permission);
    const nothing = { beyond: [], approval: [], waits: false, document: undefined, limits: [] };
    const who = { decider: refused.by, asksSchool: isOthers && ofSchool, mayChange: !isOthers && ofSchool };
    const roles = refused.roles ?? [];
    return { ...shared, ...nothing, outcome, isOfPolicy, refusal: refused.refusal, roles, ...who };
  }
  // What a policy refuses until somebody has approved the app waits for that, as what has to be approved without a policy.
  const waiting = refused ? approved.scopes : permission.waiting;
  const approval = isOthers ? scopes : approved.scopes;
  const beyond = choosable(approval.filter((scope) => !scopes.includes(scope)));
  const denied = requested.length > 0 && scopes.length + beyond.length === 0;
  const texts = [...new Set([...textsFor(permission), ...textsFor(approved)])];
  const outcome = { scopes, denied, texts };
  // An administrator finds it among those that wait, also if this person is none.
  const isWaiting = waiting.length > 0;
  if (isWaiting || beyond.length > 0 || (isDocument && !denied))
    await options.reviews.recordShown(site, member.id, { ...client, digest });
  const document = beyond.length > 0 ? await options.reviews.documents.find(site, clientId) : undefined;
  const needsApproval = refused !== undefined || outcomeOf(permission, requested, catalogue) === 'needs_approval';
  const waits = isWaiting && (!denied || needsApproval);
  const asksSchool = isOthers && denied && waits;
  const left = { beyond: document ? beyond : [], approval, waits, document };
  const asked = [...scopes, ...left.beyond];
  const limits = boundariesOf(options.core.choices.declared, asked).map(({ type }) => type);
  const who = { decider: undefined, asksSchool, mayChange: false };
  return { ...shared, outcome, ...left, isOfPolicy, refusal: undefined, roles: [], ...who, limits };
}

/** Whether the school refuses it, and can decide otherwise. */
function isOfSchool({ refused }: Permission): boolean {
  return refused !== undefined && refused.outcome !== 'impossible' && refused.by === 'school';
}

/** Why the person can only go back. */
export function deniedBy({ refusal, waits, isOfPolicy }: PendingConsent): Refusal | 'policy' | 'scope' {
  if (refusal) return refusal;
  if (waits) return 'needs_approval';
  return isOfPolicy ? 'policy' : 'scope';
}

/** What can change between the page and its form, the most important first. */
const parts = ['version', 'decision', 'logo', 'scopes'] as const;

/** What has changed since the page was shown. */
export type Staleness = (typeof parts)[number];

/** No scope has a backslash: RFC 6749 section 3.3. */
const separator = '\\';

/** What the page is about. A form has it, and so decides only on what its person has seen. */
export function digestOfPage(pending: PendingConsent): string {
  const { metadata, digest, document, outcome, beyond, limits, demanded, pseudonym, limitGone } = pending;
  const asked = limits.map((type) => (demanded.includes(type) ? `${type} demanded` : type));
  const what = [pseudonym ? 'pseudonym' : '', limitGone ? 'limit gone' : ''];
  const shown: Readonly<Record<Staleness, string>> = {
    version: digest,
    decision: [optional(metadata, 'campus_decision', text) ?? '', document?.version ?? ''].join(' '),
    logo: document?.logo?.digest ?? '',
    scopes: [outcome.scopes.join(' '), beyond.join(' '), ...what, ...asked].join(separator),
  };
  return parts.map((part) => shown[part]).join(separator);
}

/** What is no longer as a form has shown it; nothing if all is. */
export function staleness(shown: string, current: string): Staleness | undefined {
  const now = current.split(separator);
  const changed = shown.split(separator).findIndex((part, i) => part !== now[i]);
  return shown === current ? undefined : (parts[changed] ?? 'scopes');
}
