import type { Feature } from '../feature.ts';
import { pseudonymsDescription } from './describe.ts';

/** Pseudonyms: pairwise subject identifiers. OIDC Core section 8.1. */
export const pseudonymsFeature: Feature = {
  key: { option: 'pseudonyms' },
  described: pseudonymsDescription,
};
