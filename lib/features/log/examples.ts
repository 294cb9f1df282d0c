import type { FeatureExamples } from '../feature-examples.ts';
import { exampleEvents } from './example-events.ts';

/** What Activity shows in the gallery. */
export const logExamples: FeatureExamples = {
  settings: { log: { list: ({ id }) => ({ events: exampleEvents(id) }) } },
};
