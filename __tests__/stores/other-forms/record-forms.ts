import type { JsonMembers } from '../../../lib/kernel/json.ts';

// A release in which rules and sessions have changed: `at` has become `since`.
const newest = {
  write: ({ at: since, ...rest }: JsonMembers): JsonMembers => ({ ...rest, since }),
  read: ({ since: at, ...rest }: JsonMembers): JsonMembers => ({ ...rest, at }),
};
const previous = {
  write: (record: JsonMembers): JsonMembers => record,
  read: (stored: JsonMembers): JsonMembers => stored,
};
const forms = { version: 2, newest, previous };

/** Replaces `lib/records/record-forms.ts`. */
export const recordForms = { ProgramRule: forms, Session: { ...forms, version: 3 } };
