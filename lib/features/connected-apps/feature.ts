import type { Feature } from '../feature.ts';
import { connectedAppsRoutes } from './routes.ts';
import { connectedAppsTexts } from './texts.ts';

/** What a person has connected. Every campus has it: `campus.ts` makes what is in its `domain/`. */
export const connectedApps: Feature = { texts: connectedAppsTexts, routes: connectedAppsRoutes };
