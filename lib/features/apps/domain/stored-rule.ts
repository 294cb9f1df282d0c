import type { ChangeNote } from '../../../core/clients/client-status.ts';
import type { AppRule } from '../../../core/access/rule.ts';
import { VersionConflict, type ChangedPart, type ExpectedVersion } from '../../../core/clients/expected-version.ts';
import type { AppTarget } from '../../../core/access/app-rule.ts';
import { type ApplyingRules, ruleVersion, latestChange } from '../../../core/access/rule-version.ts';
import { isSameRule } from '../../../core/access/rule.ts';
import { ruleId, ruleOf } from '../../../core/access/school-rules.ts';
import { type ApprovedVersion, type Review, reviewIn, storedVersion } from '../../../core/access/review.ts';
import { epochSeconds } from '../../../kernel/clock.ts';
import { serializeRecord } from '../../../records/codec.ts';
import type { RecordStore } from '../../../records/record-store.ts';
import type { AuditActor } from '../../../observe/audit-event.ts';
import type { RecordOf } from '../../../records/record.ts';

/** A school's decision on one app or client: a rule, the approval of a version, or both. */
export interface StoredRule {
  readonly record: RecordOf<'AppRule'> | undefined;
  /** What a change of it replaces. */
  readonly text: string | null;
  readonly review: Review | undefined;
}

export async function readRule(store: RecordStore, siteId: string, target: AppTarget): Promise<StoredRule> {
  const { record, text = null } = (await store.find(siteId, 'AppRule', ruleId(target))) ?? {};
  return { record, text, review: reviewIn(record) };
}

export interface NewRule {
  /** @default that of its app, whatever it is later */
  readonly rule: AppRule | undefined;
  readonly approved?: ApprovedVersion | undefined;
  /** @default false */
  readonly ending?: boolean | undefined;
  readonly note?: ChangeNote | undefined;
  /** The incidents that block it, and the text of the rule below them. @default the school has decided */
  readonly held?: Pick<RecordOf<'AppRule'>, 'incidents' | 'before'> | undefined;
  /** In seconds since the epoch. @default now */
  readonly at?: number | undefined;
}

/** Returns what was written; nothing if another decision was made meanwhile. */
export async function saveRule(
  store: RecordStore,
  siteId: string,
  target: AppTarget,
  decision: NewRule,
  replaces: string | null,
): Promise<string | undefined> {
  const { rule, approved, ending, note, held, at = epochSeconds() } = decision;
  const record = serializeRecord('AppRule', {
    ...('clientId' in target ? { client_id: target.clientId } : { app: target.app }),
    ...(rule && storedAccess(rule)),
    limited: rule?.limited,
    roles: rule?.roles,
    scopes: rule?.scopes,
    pseudonym: rule?.pseudonym || undefined,
    approved: approved && storedVersion(approved),
    ending: ending || undefined,
    by: note?.by,
    note: note?.note,
    ...held,
    at,
  });
  const entry = { kind: 'AppRule', id: ruleId(target), record, listed: true, replaces } as const;
  return (await store.save(siteId, entry)) ? record : undefined;
}

/** Releases before `ask` was a member of a rule know it as a word of `access`. */
function storedAccess({ access, ask }: AppRule): Partial<RecordOf<'AppRule'>> {
  if (!ask) return { access };
  return access === 'allowed' ? { access: 'ask' } : { access, ask };
}

/** An administrator, whom the host or a page of ours has authenticated. */
export function administrator(by?: string): AuditActor {
  return { kind: 'administrator', ...(by !== undefined && { id: by }) };
}

/** Each lost attempt is another administrator's decision that came first. */
const maxAttempts = 20;

export interface WrittenRule {
  readonly decision: NewRule;
  /** What was written. */
  readonly text: string;
}

/** What is decided on, and what was seen of it. */
export interface DecidedTarget extends ExpectedVersion {
  readonly target: AppTarget;
  /** The app of a client. */
  readonly app: string | undefined;
}

/**
 * Makes a decision from the one before, and writes it. Where another one was made meanwhile, it is made again from that, unless it is for
 * the version before.
 *
 * @throws VersionConflict if something else is decided by now than the version says
 */
export async function changeRule(
  store: RecordStore,
  siteId: string,
  decided: DecidedTarget,
  decide: (before: StoredRule) => NewRule,
): Promise<WrittenRule> {
  for (let i = 0; i < maxAttempts; i += 1) {
    const before = await readRule(store, siteId, decided.target);
    const decision = { at: epochSeconds(), ...decide(before) };
    if (!isRepeated(before, decision)) await checkVersion(store, siteId, decided, before);
    const text = await saveRule(store, siteId, decided.target, decision, before.text);
    if (text !== undefined) return { decision, text };
  }
  throw new Error(`a decision was changed ${maxAttempts} times by others while one change was written`);
}

/** The same decision again, as by a second click, is not against one of somebody else. */
function isRepeated({ record, review }: StoredRule, { rule }: NewRule): boolean {
  const was = record && ruleOf(record);
  return rule && was ? isSameRule(rule, was) : !rule && !was && !review;
}

/** @throws VersionConflict that names the decision that was not seen */
export async function checkVersion(
  store: RecordStore,
  siteId: string,
  { target, app, version }: DecidedTarget,
  { record: own }: StoredRule,
): Promise<void> {
  if (version === undefined) return;
  const hasApp = 'clientId' in target && app !== undefined;
  const ofApp = hasApp ? (await readRule(store, siteId, { app })).record : undefined;
  const rules = { own, ofApp };
  if (version !== ruleVersion(rules)) throw conflictOn(target, rules);
}

export function conflictOn(target: AppTarget, rules: ApplyingRules, difference?: ChangedPart): VersionConflict {
  const what = 'clientId' in target ? target.clientId : `the app ${target.app}`;
  return new VersionConflict(what, latestChange(rules), difference);
}

/** The connections that it takes away have ended: nothing is left for the next decision. Nothing is written over a later one. */
export async function markEnded(
  store: RecordStore,
  siteId: string,
  target: AppTarget,
  { decision, text }: WrittenRule,
): Promise<string | undefined> {
  return saveRule(store, siteId, target, { ...decision, ending: false }, text);
}
