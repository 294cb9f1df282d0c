import { noSubjects, type Subjects } from '../core/clients/subjects.ts';
import type { FeatureSettings } from './policies.ts';
import { pseudonyms } from './pseudonyms/domain/subjects.ts';

/** The names under which clients know people, by the features that are on. */
export function createSubjects(settings: FeatureSettings): Subjects {
  return { ...noSubjects, ...pseudonyms(settings) };
}
