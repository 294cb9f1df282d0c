import type { Feature } from '../feature.ts';
import { boundariesDescription } from './describe.ts';
import { detailsStep } from './details-step.ts';
import { boundaryPolicies } from './domain/checked-lists.ts';
import { createLimitChoices } from './domain/choices.ts';
import { boundariesOption, checkBoundaries } from './domain/option.ts';
import { boundariesExamples } from './examples.ts';

/** Grants that are limited to what a person chooses: `docs/guides/limit-to-classes.md`. */
export const boundaries: Feature = {
  option: 'boundaries',
  options: boundariesOption,
  check: checkBoundaries,
  boundaryTypes: ({ boundaries: declared }) => declared,
  policies: boundaryPolicies,
  limitChoices: ({ boundaries: declared }) => createLimitChoices(declared),
  engine: ({ policies }) => ({ configuration: {}, steps: [detailsStep(policies.boundaries)] }),
  described: boundariesDescription,
  examples: boundariesExamples,
};
