import type { Feature } from '../feature.ts';
import { pseudonymsDescription } from './describe.ts';
import { pseudonymOption } from './domain/option.ts';
import { pairwiseSubjects } from './domain/subjects.ts';
import { pseudonymField } from './form.ts';
import { subjectProperty } from './options.ts';

/** Pseudonyms: pairwise subject identifiers. OIDC Core section 8.1. */
export const pseudonyms: Feature = {
  option: 'pseudonyms',
  options: pseudonymOption,
  subjects: pairwiseSubjects,
  fields: [pseudonymField],
  clientProperties: [subjectProperty],
  described: pseudonymsDescription,
};
