import type { JsonMembers } from '../kernel/json.ts';
import type { RecordKind } from './record.ts';

/** One version of how a kind is stored. */
export interface RecordForm {
  readonly version: number;
  /** From the members that this release works with, without `v`. */
  readonly write: (record: JsonMembers) => JsonMembers;
  readonly read: (stored: JsonMembers) => JsonMembers;
}

/** The forms of a kind that a release reads. It writes the first of them. */
export type RecordForms = readonly [written: RecordForm, ...others: RecordForm[]];

/** The members as they are. */
function plain(version: number): RecordForms {
  return [{ version, write: (record) => record, read: (stored) => stored }];
}

const [first, second] = [plain(1), plain(2)];

/** Kinds whose form is not the first one. */
const changed: Readonly<Partial<Record<RecordKind, RecordForms>>> = {
  Grant: second,
  AccessToken: second,
  RefreshToken: second,
};

/**
 * Returns the forms of a kind. A release that brings a new form reads it, and still writes the one before; the next release writes it. So
 * processes of two releases in a row share a store, and the later one can be taken back: see `docs/operate/upgrade.md`. A new member needs no new
 * form if a release that does not know it may ignore and keep it.
 */
export function recordForms(kind: RecordKind): RecordForms {
  return changed[kind] ?? first;
}
