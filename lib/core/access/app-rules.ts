import { isMetadataDocumentId } from '../clients/client-id.ts';
import type { RecordOf } from '../../records/record.ts';
import type { RecordStore } from '../../records/record-store.ts';
import { digest } from '../../kernel/crypto.ts';
import type { AppTarget } from './app-rule.ts';
import { reviewIn } from './review.ts';
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

/** Whether a decision takes away something that people may have: then their connections end. */
export function takesAway(
  before: DecidedBefore,
  { rule, fallback, clientId, isReviewRead = false }: DecidedNow,
): boolean {
  const after = rule ?? fallback;
  // Without a rule or a policy that asks for one, only a metadata document needs an approval.
  const isDocument = clientId !== undefined && isMetadataDocumentId(clientId);
  const matters = after.access === 'view_only' || isDocument || isReviewRead;
  const losesApproval = before.hasApproval && matters && !keepsApproval(rule);
  // Nobody is known by another name than the one that they have allowed.
  const isOther = (after.pseudonym === true) !== (before.rule.pseudonym === true);
  return losesApproval || isOther || isStricter(after, before.rule);
}

/** Nothing for a decision that only approves a version. */
export function ruleOf({ access, ask, roles, scopes, pseudonym, limited }: RecordOf<'AppRule'>): AppRule | undefined {
  return (
    access && {
      access: access === 'ask' ? 'allowed' : access,
      ...((access === 'ask' || ask) && { ask: true }),
      ...(roles && { roles }),
      ...(scopes && { scopes }),
      ...(pseudonym && { pseudonym }),
      ...(limited && { limited }),
    }
  );
}

/** Distinguishes a client from an app of the same id. */
export function targetName(target: AppTarget): string {
  return 'clientId' in target ? `client ${target.clientId}` : `app ${target.app}`;
}

/** What a stored decision is for. */
export function decisionTarget({ client_id: clientId, app = '' }: RecordOf<'AppRule'>): AppTarget {
  return clientId === undefined ? { app } : { clientId };
}

export function ruleId(target: AppTarget): string {
  return digest(targetName(target));
}

/** A client, or only the id of its app. */
interface RuledClient {
  readonly clientId?: string | undefined;
  readonly app?: string | undefined;
}

/** For what a rule can stand, the one that applies first: the client itself, otherwise its app. */
function targetsOf({ clientId, app }: RuledClient): AppTarget[] {
  return [...(clientId === undefined ? [] : [{ clientId }]), ...(app === undefined ? [] : [{ app }])];
}

/** What a school has said of a client. */
export interface SchoolSays {
  /** The rule that applies. @default it has none */
  readonly rule: AppRule | undefined;
  /** The digest of the version of the client that is approved. @default none is */
  readonly approved?: string | undefined;
}

/** Finds the rule of a school for a client: its own, otherwise that of its app. */
export type SchoolRuleFinder = (siteId: string, client: RuledClient) => Promise<SchoolSays>;

export function schoolRules(store: RecordStore): SchoolRuleFinder {
  return async (siteId, client) => {
    const ids = targetsOf(client).map(ruleId);
    const found = await Promise.all(ids.map((id) => store.find(siteId, 'AppRule', id)));
    const own = client.clientId === undefined ? undefined : found[0]?.record;
    return {
      rule: found.flatMap((each) => (each && ruleOf(each.record)) ?? [])[0],
      approved: reviewIn(own)?.version?.digest,
    };
  };
}

/** The same in decisions that have been read, which also has the record of each. */
export interface SchoolDecisions {
  readonly recordOf: (target: AppTarget) => RecordOf<'AppRule'> | undefined;
  readonly schoolRule: (client: RuledClient) => AppRule | undefined;
}

export function schoolDecisions(records: readonly RecordOf<'AppRule'>[]): SchoolDecisions {
  const byName = new Map(records.map((record) => [targetName(decisionTarget(record)), record]));
  const recordOf = (target: AppTarget): RecordOf<'AppRule'> | undefined => byName.get(targetName(target));
  const ruleFor = (target: AppTarget): AppRule | undefined => {
    const record = recordOf(target);
    return record && ruleOf(record);
  };
  return { recordOf, schoolRule: (client) => targetsOf(client).flatMap((target) => ruleFor(target) ?? [])[0] };
}
