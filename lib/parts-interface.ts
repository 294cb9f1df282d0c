import type { ApplicationManager } from './features/applications/domain/applications.ts';
import type { ConnectionManager } from './features/connected-apps/domain/connections.ts';
import type { Clients } from './core/clients/client-manager.ts';
import type { SignOuts } from './core/connections/sign-outs.ts';
import type { Verification } from './core/bearer/verify.ts';
import type { Subjects } from './core/clients/subjects.ts';
import type { VerifyToken } from './core/clients/client.ts';
import type { Decisions } from './core/decisions/decisions.ts';
import type { Grants } from './core/grants/grants.ts';
import type { KeyRing } from './core/keys/keys.ts';
import type { LimitManager } from './core/limits/limit-manager.ts';
import type { EngineFinder } from './engine/engine.ts';
import type { FeatureInUse } from './features/feature.ts';
import type { Host } from './host/host.ts';
import type { Reviews } from './features/programs/domain/reviews.ts';
import type { Audit } from './observe/audit.ts';
import type { Settings } from './options/options.ts';
import type { Policies } from './options/policies.ts';
import type { Pages } from './pages/kit/pages.ts';
import type { ProgramManager } from './features/programs/domain/programs.ts';
import type { Records } from './records/records.ts';

/** What a campus is made from, each made once in `campus.ts`; that file has their order. */
export interface Parts {
  readonly settings: Settings;
  readonly policies: Policies;
  readonly audit: Audit;
  readonly host: Host;
  readonly records: Records;
  readonly limits: LimitManager;
  readonly keys: KeyRing;
  readonly pages: Pages;
  readonly reviews: Reviews;
  readonly clients: Clients;
  readonly decisions: Decisions;
  readonly applications: ApplicationManager;
  readonly programs: ProgramManager;
  readonly connections: ConnectionManager;
  readonly signOuts: SignOuts;
  readonly grants: Grants;
  readonly verify: VerifyToken;
  /** Also the tokens of clients that know people by pseudonyms, for UserInfo. */
  readonly verifyAny: Verification['verifyAny'];
  readonly subjects: Subjects;
  readonly features: readonly FeatureInUse[];
  readonly engineOf: EngineFinder;
  /** Ends what goes on without a request, and resolves when it has ended. */
  readonly close: () => Promise<void>;
}
