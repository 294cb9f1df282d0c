import type { Feature } from '../feature.ts';
import { connectedAppsTexts } from './texts.ts';

/** What a person has connected. Every campus has it: `campus.ts` makes what is in its `domain/`, `page-routes.ts` serves its pages. */
export const connectedApps: Feature = { texts: connectedAppsTexts };
