import type { JsonMembers } from '../kernel/json.ts';
import type { RecordKind } from './record.ts';

/** How one version of a kind is stored. */
interface RecordForm {
  /** From the members that this release works with, without `v`. */
  readonly write: (record: JsonMembers) => JsonMembers;
  readonly read: (stored: JsonMembers) => JsonMembers;
}

interface RecordForms {
  /** The one of the newest form. The previous form has the version below it. */
  readonly version: number;
  readonly newest: RecordForm;
  readonly previous: RecordForm;
}

const plain: RecordForm = { write: (record) => record, read: (stored) => stored };

/** A release that does not know limits would give all of what a person has limited, so it gets no record that has one. */
const unlimited: RecordForm = {
  write: (record) => {
    if (record['only'] === undefined) return record;
    throw new Error('a limit is written only where campus-oidc store upgrade has permitted the newest formats');
  },
  read: plain.read,
};

/**
 * The kinds that have had more than one form; the others have version 1. A release reads both forms of a row, and writes the previous
 * one until `campus-oidc store upgrade` was run: `docs/upgrading.md` has the rule. A row stays until its kind changes again. A further
 * member needs no row, if an older release may ignore and keep it.
 */
export const recordForms: Readonly<Partial<Record<RecordKind, RecordForms>>> = {
  // Both have the same members, but only the newest may have `only`.
  Grant: { version: 2, newest: plain, previous: unlimited },
  AccessToken: { version: 2, newest: plain, previous: unlimited },
  // Both have the same members. A token of a line, which the release before does not know, is issued only where version 2 may be written.
  RefreshToken: { version: 2, newest: plain, previous: plain },
};
