import { finder } from '../../kernel/finding.ts';
import type { Feature } from '../feature.ts';
import { boundariesDescription } from './describe.ts';
import { detailsStep } from './details-step.ts';
import { boundaryPolicies } from './domain/checked-lists.ts';
import { createLimitChoices } from './domain/choices.ts';
import { boundariesOption, checkBoundaries } from './domain/option.ts';
import { boundariesExamples } from './examples.ts';

const findings = {
  'limits-waiting': ['warning', 'run campus-oidc store upgrade when every process runs this release'],
} as const;

const found = finder(findings);

/** Grants that are limited to what a person chooses: `docs/boundaries.md`. */
export const boundaries: Feature = {
  option: 'boundaries',
  options: boundariesOption,
  check: checkBoundaries,
  boundaryTypes: ({ boundaries: declared }) => declared,
  policies: boundaryPolicies,
  limitChoices: ({ boundaries: declared }, mayLimit) => createLimitChoices(declared, mayLimit),
  findings,
  engine: ({ policies }) => ({ configuration: {}, steps: [detailsStep(policies.boundaries)] }),
  described: boundariesDescription,
  examples: boundariesExamples,
  diagnose: async ({ records }) =>
    (await records.store.writesNewest('Grant'))
      ? []
      : [found('limits-waiting', 'nobody can limit an application yet: an older process on the store would give all')],
};
