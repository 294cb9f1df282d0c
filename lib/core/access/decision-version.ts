import { digest } from '../../kernel/crypto.ts';
import type { RecordOf } from '../../records/record.ts';
import type { Decided } from '../clients/client-status.ts';

type RuleRecord = RecordOf<'AppRule'>;

/** The decisions of a school that say what applies to an app or client. */
export interface ApplyingDecisions {
  /** That on exactly this app or client. */
  readonly own: RuleRecord | undefined;
  /** That on the app of a client, which applies unless the client has a rule of its own. */
  readonly ofApp?: RuleRecord | undefined;
}

function applying({ own, ofApp }: ApplyingDecisions): RuleRecord[] {
  return [own, own?.access === undefined ? ofApp : undefined].filter((each) => each !== undefined);
}

/** Another one after each decision. It leaves out who decided, which can be forgotten, and whether connections have ended since. */
export function decisionVersion(decisions: ApplyingDecisions): string {
  const decided = applying(decisions).map(({ by: _by, note: _note, ending: _ending, ...decision }) => decision);
  return digest(JSON.stringify(decided));
}

/** Who made the latest of them, when and why. */
export function latestDecision(decisions: ApplyingDecisions): Decided | undefined {
  const [latest] = applying(decisions).sort((a, b) => b.at - a.at);
  return latest && decidedIn(latest);
}

export function decidedIn({ at, by, note }: RuleRecord): Decided {
  return { at, ...(by !== undefined && { by }), ...(note !== undefined && { note }) };
}
