import type { Decisions } from '../core/decisions/decisions.ts';
import type { Grants } from '../core/grants/grants.ts';
import type { EngineInteractions } from '../engine/configuration.ts';
import type { Settings } from '../options/options.ts';
import type { Pages } from '../pages/kit/pages.ts';
import { errorShower } from './access-denied.ts';
import { promptPolicy } from './prompts.ts';

interface InteractionCore {
  readonly settings: Pick<Settings, 'pages'>;
  readonly decisions: Decisions;
  readonly pages: Pages;
}

/** Sign-in and consent, as the engine needs them. */
export function createInteractions(
  { settings, decisions: { access }, pages }: InteractionCore,
  { grants }: { readonly grants: Grants },
): EngineInteractions {
  return {
    prompts: promptPolicy(grants.consenting),
    showError: errorShower({ pages, access, connectionsPath: settings.pages.connections }),
  };
}
