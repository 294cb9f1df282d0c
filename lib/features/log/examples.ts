import type { FeatureExamples } from '../feature-examples.ts';
import { exampleTime } from '../../pages/example-clients.ts';
import { exampleEvents } from './example-events.ts';

/** A page on which there is nothing, of a log that goes on. */
const further = { events: [], next: 'oldest', lookedBackTo: new Date((exampleTime - 90 * 24 * 60 * 60) * 1000) };

/** What Activity shows in the gallery. */
export const logExamples: FeatureExamples = {
  settings: { log: { list: ({ id }, { cursor }) => (cursor === undefined ? { events: exampleEvents(id) } : further) } },
};
