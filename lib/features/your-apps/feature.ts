import type { Feature } from '../feature.ts';
import { yourAppsRoutes } from './routes.ts';
import { yourAppsTexts } from './texts.ts';

/** What a person has connected. Every campus has it: `campus.ts` makes what is in its `domain/`. */
export const yourApps: Feature = { texts: yourAppsTexts, routes: yourAppsRoutes };
