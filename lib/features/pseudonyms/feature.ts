import type { Feature } from '../feature.ts';
import { pseudonymsDescription } from './describe.ts';
import { pseudonymOption } from './domain/option.ts';
import { pseudonyms } from './domain/subjects.ts';
import { pseudonymField } from './form.ts';
import { subjectProperty } from './options.ts';

/** Pseudonyms: pairwise subject identifiers. OIDC Core section 8.1. */
export const pseudonymsFeature: Feature = {
  option: 'pseudonyms',
  options: pseudonymOption,
  subjects: pseudonyms,
  fields: [pseudonymField],
  clientProperties: [subjectProperty],
  described: pseudonymsDescription,
};
