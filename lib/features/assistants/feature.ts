import type { Feature } from '../feature.ts';
import { assistantPages } from './pages.ts';
import { assistantsTexts } from './texts.ts';

/** How people connect an assistant to the tools. */
export const assistants: Feature = { texts: assistantsTexts, toolPages: assistantPages };
