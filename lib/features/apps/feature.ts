import type { Feature } from '../feature.ts';
import { appsExamples } from './examples.ts';
import { appsMethods } from './methods.ts';
import { appsRoutes } from './routes.ts';
import { appsTexts } from './texts.ts';

/** What a school decides about apps. Every campus has it: `campus.ts` makes what is in its `domain/`. */
export const apps: Feature = { texts: appsTexts, routes: appsRoutes, methods: appsMethods, examples: appsExamples };
