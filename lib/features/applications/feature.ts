import type { Feature } from '../feature.ts';
import { applicationsTexts } from './texts.ts';

/** Applications of a school, and requests for them. Every campus has it: `campus.ts` makes what is in its `domain/`, `page-routes.ts` serves its pages. */
export const applications: Feature = { texts: applicationsTexts };
