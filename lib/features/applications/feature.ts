import type { Feature } from '../feature.ts';
import { applicationsRoutes } from './routes.ts';
import { applicationsTexts } from './texts.ts';

/** Applications of a school, and requests for them. Every campus has it: `campus.ts` makes what is in its `domain/`. */
export const applications: Feature = { texts: applicationsTexts, routes: applicationsRoutes };
