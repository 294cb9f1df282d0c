import { recordForms as ofThisRelease } from '../../lib/records/record-forms.ts';
import { inside } from './next-record-forms.ts';

/** The release after the next one: it writes the new form of every kind, and still reads the one of this release. */
export const recordForms: typeof ofThisRelease = (kind) => {
  const [ours] = ofThisRelease(kind);
  return [inside(ours), ours];
};
