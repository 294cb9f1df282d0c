import type { Bearer } from './core/bearer/verify.ts';
import type { Subjects } from './core/clients/subjects.ts';
import type { Grants } from './core/grants/grants.ts';
import type { EngineFinder } from './engine/engine.ts';
import type { ApplicationManager } from './features/applications/domain/applications.ts';
import type { ConnectionManager } from './features/connected-apps/domain/connections.ts';
import type { FeatureInUse, FeatureParts } from './features/feature.ts';
import type { Settings } from './options/options.ts';
import type { ProgramManager } from './features/programs/domain/programs.ts';
import type { Reviews } from './features/programs/domain/reviews.ts';

/** What the people of a school see and decide. */
export interface SchoolParts {
  readonly applications: ApplicationManager;
  readonly programs: ProgramManager;
  readonly connections: ConnectionManager;
  readonly reviews: Reviews;
}

/** What a campus is made from, each made once in `campus.ts`; that file has their order. */
export interface Parts {
  /** Also needed by features. */
  readonly core: FeatureParts;
  readonly school: SchoolParts;
  readonly grants: Grants;
  readonly subjects: Subjects;
  readonly bearer: Bearer;
  readonly features: readonly FeatureInUse[];
  readonly engineOf: EngineFinder;
  /** Ends what goes on without a request, and resolves when it has ended. */
  readonly close: () => Promise<void>;
  /** Makes the parts of another campus: the gallery has one for each example. */
  readonly createParts: (settings: Settings) => Parts;
}
