import { isMetadataDocumentId } from '../clients/client-id.ts';
import { isStricter, type AppRule } from './rule.ts';

/** What a school has decided before. */
interface DecidedBefore {
  /** What applies of it: that on its app, where there is none on the client. */
  readonly rule: AppRule;
  /** Whether a version of the client is approved. */
  readonly hasApproval: boolean;
}

/** A new decision on an app or client. */
interface DecidedNow {
  /** `undefined` if the decision goes. */
  readonly rule: AppRule | undefined;
  /** What applies then. */
  readonly fallback: AppRule;
  /** Absent for an app. */
  readonly clientId: string | undefined;
  /** Whether a policy counts at use, which reads from a token whether the version is approved. @default false */
  readonly isReviewRead?: boolean | undefined;
}

/** An approval stays where what it allows stays allowed. */
export function keepsApproval(rule: AppRule | undefined): boolean {
  return rule?.access === 'allowed';
}

/** Nobody is known by another name than the one that they have allowed. */
function renamesPeople(before: AppRule, after: AppRule): boolean {
  return (after.pseudonym === true) !== (before.pseudonym === true);
}

/** Whether a decision leaves nobody a connection. */
export function refusesAll(before: AppRule, after: AppRule): boolean {
  return after.access === 'blocked' || renamesPeople(before, after);
}

/** Whether a decision takes away something that people may have: then access tokens end, and the connections that it refuses. */
export function takesAway(
  before: DecidedBefore,
  { rule, fallback, clientId, isReviewRead = false }: DecidedNow,
): boolean {
  const after = rule ?? fallback;
  // Without a rule or a policy that asks for one, only a metadata document needs an approval.
  const isDocument = clientId !== undefined && isMetadataDocumentId(clientId);
  const matters = after.access === 'view_only' || isDocument || isReviewRead;
  const losesApproval = before.hasApproval && matters && !keepsApproval(rule);
  return losesApproval || isStricter(after, before.rule) || renamesPeople(before.rule, after);
}
