import { finder } from '../../kernel/finding.ts';
import type { Feature } from '../feature.ts';
import { boundariesDescription } from './describe.ts';
import { detailsStep } from './details-step.ts';
import { boundariesExamples } from './examples.ts';
import { boundariesFindings } from './facts.ts';

const found = finder(boundariesFindings);

/** Grants that are limited to what a person chooses: `docs/boundaries.md`. */
export const boundaries: Feature = {
  key: { option: 'boundaries' },
  engine: ({ policies }) => ({ configuration: {}, steps: [detailsStep(policies.boundaries)] }),
  described: boundariesDescription,
  examples: boundariesExamples,
  findings: async ({ records }) =>
    (await records.store.writesNewest('Grant'))
      ? []
      : [found('limits-waiting', 'nobody can limit an application yet: an older process on the store would give all')],
};
