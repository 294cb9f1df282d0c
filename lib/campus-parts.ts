import type { EngineFinder } from './engine/engine.ts';
import type { FeatureInUse } from './features/feature.ts';
import type { Parts } from './features/parts.ts';
import type { Settings } from './options/options.ts';

/** The parts of a campus, with what is made from them. */
export interface CampusParts extends Parts {
  readonly features: readonly FeatureInUse[];
  readonly engineOf: EngineFinder;
  /** Ends what goes on without a request, and resolves when it has ended. */
  readonly close: () => Promise<void>;
  /** Makes the parts of another campus: the gallery has one for each example. */
  readonly createParts: (settings: Settings) => CampusParts;
}
