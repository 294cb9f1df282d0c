import type { Feature } from '../feature.ts';
import { boundariesDescription } from './describe.ts';
import { boundariesExamples } from './examples.ts';

/** Grants that are limited to what a person chooses: `docs/boundaries.md`. */
export const boundaries: Feature = {
  key: { option: 'boundaries' },
  described: boundariesDescription,
  examples: boundariesExamples,
};
