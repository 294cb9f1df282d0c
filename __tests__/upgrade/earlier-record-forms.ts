import type { recordForms as ofThisRelease } from '../../lib/records/record-forms.ts';

/** The forms of the release before this one: each kind has one. */
export const recordForms: typeof ofThisRelease = {};
