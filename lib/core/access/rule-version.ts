import { digest } from '../../kernel/crypto.ts';
import type { RecordOf } from '../../records/record.ts';
import type { Decided } from '../clients/client-status.ts';

type RuleRecord = RecordOf<'AppRule'>;

/** The rules of a school that apply to an app or client. */
export interface ApplyingRules {
  /** That on exactly this app or client. */
  readonly own: RuleRecord | undefined;
  /** That on the app of a client, which applies unless the client has a rule of its own. */
  readonly ofApp?: RuleRecord | undefined;
}

function applying({ own, ofApp }: ApplyingRules): RuleRecord[] {
  return [own, own?.access === undefined ? ofApp : undefined].filter((each) => each !== undefined);
}

/** Another one after each decision. It leaves out who decided, which can be forgotten, and whether connections have ended since. */
export function ruleVersion(rules: ApplyingRules): string {
  const decided = applying(rules).map(({ by: _by, note: _note, ending: _ending, before: _before, ...rule }) => rule);
  return digest(JSON.stringify(decided));
}

/** Who made the latest of them, when and why. */
export function latestChange(rules: ApplyingRules): Decided | undefined {
  const [latest] = applying(rules).sort((a, b) => b.at - a.at);
  return latest && decidedIn(latest);
}

export function decidedIn({ at, by, note }: RuleRecord): Decided {
  return { at, ...(by !== undefined && { by }), ...(note !== undefined && { note }) };
}
