import type { JsonMembers } from '../../lib/kernel/json.ts';
import { type RecordForm, recordForms as ofThisRelease } from '../../lib/records/record-forms.ts';

/** An invented form: each record is inside another one, where this release does not find it. */
export function inside({ version, write, read }: RecordForm): RecordForm {
  return {
    version: version + 1,
    write: (record) => ({ inside: write(record) }),
    read: ({ inside: record }: JsonMembers) => {
      if (typeof record !== 'object' || record === null) throw new TypeError('inside must be an object');
      return read({ ...record });
    },
  };
}

/** The release after this one: it reads a new form of every kind, and still writes the one of this release. */
export const recordForms: typeof ofThisRelease = (kind) => {
  const [ours] = ofThisRelease(kind);
  return [ours, inside(ours)];
};
