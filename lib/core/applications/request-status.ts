import { hasOne, noRule, type AppRule } from '../access/rule.ts';
import type { RequestStatus } from './request.ts';

/** What a school has decided on the client of a request, and on the person who asks. */
export interface DecisionInForce {
  /** The rule that applies to the client. @default none */
  readonly rule: AppRule | undefined;
  /** When the last of it was decided, in seconds since the epoch. */
  readonly at: number;
  /** Whether the school has said yes to this person. */
  readonly isAllowed: boolean;
  /** Whether what changes data waits for the approval of a version. */
  readonly waits: boolean;
  /** The roles of the person. @default not known, so a rule for some roles says nothing of the request */
  readonly roles?: readonly string[] | undefined;
}

/**
 * What has become of a request to connect a client, by what is in force now: a decision that was made since can let the person in, or take
 * back what was granted.
 *
 * @param asked - what is stored: the answer, and when that or the request was written
 */
export function statusInForce(
  { status, at }: { readonly status: RequestStatus; readonly at: number },
  decision: DecisionInForce | undefined,
): RequestStatus {
  const lets = decision && letsIn(decision);
  // A person who asks although an older decision lets them in was refused by something else.
  if (lets === true && (status === 'granted' || decision.at >= at)) return 'granted';
  return lets === false && status === 'granted' ? 'declined' : status;
}

/** `undefined` where that is not for the school alone to say. */
function letsIn({ rule = noRule, isAllowed, waits, roles }: DecisionInForce): boolean | undefined {
  if (rule.access === 'blocked') return false;
  if (!isAllowed && rule.ask === true) return false;
  if (!isAllowed && rule.roles) {
    if (!roles) return undefined;
    if (!hasOne(roles, rule.roles)) return false;
  }
  return waits ? undefined : true;
}
