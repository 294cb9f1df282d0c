import type { Feature } from '../feature.ts';
import { programsTexts } from './texts.ts';

/** What a school decides about programs. Every campus has it: `campus.ts` makes what is in its `domain/`, `page-routes.ts` serves its pages. */
export const programs: Feature = { texts: programsTexts };
