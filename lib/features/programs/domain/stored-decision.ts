import type { DecisionNote, ProgramRule } from '../../../core/clients/client-status.ts';
import type { ProgramTarget } from '../../../core/decisions/program-rule.ts';
import { ruleId } from '../../../core/decisions/program-rules.ts';
import { storedAccess } from '../../../core/reviews/stored-access.ts';
import { decisionId } from '../../../core/decisions/school-records.ts';
import { type ApprovedVersion, type Review, reviewIn, storedVersion } from '../../../core/reviews/review.ts';
import { epochSeconds } from '../../../kernel/clock.ts';
import { type DocumentReviewRecord, serializeRecord } from '../../../records/codec.ts';
import type { RecordStore } from '../../../records/record-store.ts';
import type { RecordOf } from '../../../records/record.ts';

/** A school's decision on one program or client: a rule, the approval of a version, or both. */
export interface StoredDecision {
  readonly record: RecordOf<'ProgramRule'> | undefined;
  /** What a change of it replaces. */
  readonly text: string | null;
  /** What an older release has decided about the client. */
  readonly before: DocumentReviewRecord | undefined;
  readonly review: Review | undefined;
}

interface ReadOptions {
  /** It is known that no older release has decided. @default false */
  readonly isOnlyNew?: boolean;
}

export async function readDecision(
  store: Pick<RecordStore, 'find'>,
  siteId: string,
  target: ProgramTarget,
  { isOnlyNew = false }: ReadOptions = {},
): Promise<StoredDecision> {
  const { record, text = null } = (await store.find(siteId, 'ProgramRule', ruleId(target))) ?? {};
  const mayBeOlder = !isOnlyNew && 'clientId' in target && record?.decided !== true;
  const older = mayBeOlder ? await store.find(siteId, 'DocumentReview', decisionId(target.clientId)) : undefined;
  return { record, text, before: older?.record, review: reviewIn(record, older?.record) };
}

export interface NewDecision {
  readonly rule: ProgramRule;
  /** Whether the rule is that of its program, and follows it. @default false */
  readonly inherits?: boolean | undefined;
  readonly approved?: ApprovedVersion | undefined;
  /** @default false */
  readonly ending?: boolean | undefined;
  readonly note?: DecisionNote | undefined;
  /** In seconds since the epoch. @default now */
  readonly at?: number | undefined;
}

/** Returns what was written; nothing if another decision was made meanwhile. The decision of an older release goes. */
export async function saveDecision(
  store: Pick<RecordStore, 'save' | 'remove'>,
  siteId: string,
  target: ProgramTarget,
  decision: NewDecision,
  { text, before }: Pick<StoredDecision, 'text' | 'before'>,
): Promise<string | undefined> {
  const { rule, inherits, approved, ending, note, at = epochSeconds() } = decision;
  const record = serializeRecord('ProgramRule', {
    ...('clientId' in target ? { client_id: target.clientId } : { program: target.program }),
    ...storedAccess(rule),
    roles: rule.roles,
    scopes: rule.scopes,
    pseudonym: rule.pseudonym || undefined,
    inherits: inherits || undefined,
    approved: approved && storedVersion(approved),
    ending: ending || undefined,
    by: note?.by,
    reason: note?.reason,
    decided: true,
    at,
  });
  const entry = { kind: 'ProgramRule', id: ruleId(target), record, listed: true, replaces: text } as const;
  if (!(await store.save(siteId, entry))) return undefined;
  if (before && 'clientId' in target) await store.remove(siteId, 'DocumentReview', decisionId(target.clientId));
  return record;
}

/** Each lost attempt is another administrator's decision that came first. */
const maxAttempts = 20;

export interface WrittenDecision {
  readonly decision: NewDecision;
  /** What was written. */
  readonly text: string;
}

/** Makes a decision from the one before, and writes it. Where another one was made meanwhile, it is made again from that. */
export async function changeDecision(
  store: Pick<RecordStore, 'find' | 'save' | 'remove'>,
  siteId: string,
  target: ProgramTarget,
  decide: (before: StoredDecision) => NewDecision,
): Promise<WrittenDecision> {
  for (let i = 0; i < maxAttempts; i += 1) {
    const before = await readDecision(store, siteId, target);
    const decision = { at: epochSeconds(), ...decide(before) };
    const text = await saveDecision(store, siteId, target, decision, before);
    if (text !== undefined) return { decision, text };
  }
  throw new Error(`a decision was changed ${maxAttempts} times by others while one change was written`);
}

/** The connections that it takes away have ended: nothing is left for the next decision. Nothing is written over a later one. */
export async function markEnded(
  store: Pick<RecordStore, 'save' | 'remove'>,
  siteId: string,
  target: ProgramTarget,
  { decision, text }: WrittenDecision,
): Promise<string | undefined> {
  return saveDecision(store, siteId, target, { ...decision, ending: false }, { text, before: undefined });
}
