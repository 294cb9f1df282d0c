import { isRecordKind } from '../../lib/records/record.ts';
import { recordKinds } from '../../lib/records/record-kinds.ts';
import { recordForms as ofThisRelease } from '../../lib/records/record-forms.ts';
import type { JsonMembers } from '../../lib/kernel/json.ts';

const plain = {
  write: (record: JsonMembers): JsonMembers => record,
  read: (stored: JsonMembers): JsonMembers => stored,
};

/** In the next release each record is inside another one, where no earlier release finds it. */
const inside = {
  write: (record: JsonMembers): JsonMembers => ({ inside: record }),
  read: ({ inside: record }: JsonMembers): JsonMembers => {
    if (typeof record !== 'object' || record === null) throw new TypeError('inside must be an object');
    return { ...record };
  },
};

const kinds = Object.keys(recordKinds).filter((kind) => isRecordKind(kind));

/** The forms of a release after this one, in which all kinds have changed but the one that cannot. */
export const recordForms: typeof ofThisRelease = Object.fromEntries(
  kinds
    .filter((kind) => kind !== 'StoreFormats')
    .map((kind) => {
      const { version = 1, newest = plain } = ofThisRelease[kind] ?? {};
      const wrapped = {
        write: (of: JsonMembers) => inside.write(newest.write(of)),
        read: (of: JsonMembers) => newest.read(inside.read(of)),
      };
      return [kind, { version: version + 1, newest: wrapped, previous: newest }];
    }),
);
