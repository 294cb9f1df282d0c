import type { Feature } from '../feature.ts';
import { checkUnder } from './check-page.ts';
import { assistantPage } from './page.ts';
import { assistantsRoutes } from './routes.ts';
import { assistantsTexts } from './texts.ts';

/** How people connect an assistant to the tools, and whether it has arrived. */
export const assistants: Feature = {
  texts: assistantsTexts,
  routes: assistantsRoutes,
  toolPages: { checkUnder, atEndpoint: assistantPage },
};
