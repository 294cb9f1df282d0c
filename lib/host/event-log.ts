import type { EventPage, EventQuestion } from '../observe/event-question.ts';
import type { MaybePromise, Site } from './school-platform.ts';

/** A log of your own, that the pages and `campus.log` read. You write it from `campus.events`. */
export interface EventLog<School extends Site = Site> {
  /** Finds events of a school, the newest first. What does not answer the question is left out. */
  list(site: School, question: EventQuestion): MaybePromise<EventPage>;
}
