import type { Feature } from '../feature.ts';
import { programsExamples } from './examples.ts';
import { programsRoutes } from './routes.ts';
import { programsTexts } from './texts.ts';

/** What a school decides about programs. Every campus has it: `campus.ts` makes what is in its `domain/`. */
export const programs: Feature = { texts: programsTexts, routes: programsRoutes, examples: programsExamples };
