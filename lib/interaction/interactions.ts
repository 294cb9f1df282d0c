import type { Core } from '../core/core.ts';
import type { Grants } from '../core/grants/grants.ts';
import type { EngineInteractions } from '../engine/configuration.ts';
import type { Settings } from '../options/options.ts';
import type { Pages } from '../pages/kit/pages.ts';
import { errorShower } from './access-denied.ts';
import { promptPolicy } from './prompts.ts';

/** Sign-in and consent, as the engine needs them. */
export function createInteractions(settings: Settings, core: Core, pages: Pages, grants: Grants): EngineInteractions {
  return {
    prompts: promptPolicy(grants.consenting),
    showError: errorShower(pages, core.access.rights, settings.pages.apps),
  };
}
