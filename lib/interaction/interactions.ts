import type { Grants } from '../core/grants/grants.ts';
import type { EngineInteractions } from '../engine/configuration.ts';
import type { Pages } from '../pages/kit/pages.ts';
import { errorShower } from './access-denied.ts';
import { promptPolicy } from './prompts.ts';

/** Sign-in and consent, as the engine needs them. */
export function createInteractions({
  grants,
  pages,
}: {
  readonly grants: Grants;
  readonly pages: Pages;
}): EngineInteractions {
  return { prompts: promptPolicy(grants.consenting), showError: errorShower(pages) };
}
