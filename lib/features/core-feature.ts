import type { KeyProofs } from '../core/bearer/key-proof.ts';
import type { LimitChoices } from '../core/boundaries/limit-choices.ts';
import type { ClientSource } from '../core/clients/client-source.ts';
import type { Subjects } from '../core/clients/subjects.ts';
import type { SignOuts } from '../core/connections/sign-outs.ts';
import type { SourceParts, VersionParts } from '../core/access/client-source-parts.ts';
import type { Core } from '../core/core.ts';
import type { Log } from '../core/log/log.ts';
import type { ClientVersions } from '../core/access/client-versions.ts';
import type { Faults } from '../observe/audit.ts';
import type { FeaturePolicies, Settings } from '../options/options.ts';

/** Parts of the core that a feature makes, in place of those that do nothing. `campus.ts` has their order. */
export interface CoreFeature {
  /** Where events are kept. */
  readonly log?: (settings: Settings, faults: Faults) => Partial<Log> | undefined;
  /** The names under which clients know people. */
  readonly subjects?: (settings: Settings) => Partial<Subjects>;
  /** What people choose the limits of a connection with. */
  readonly limitChoices?: (policies: FeaturePolicies) => LimitChoices;
  /** The versions of its clients, on which schools decide. */
  readonly clientVersions?: (parts: VersionParts<FeaturePolicies>) => Partial<ClientVersions>;
  /** Its clients, which nobody creates or registers at a school. */
  readonly clientSource?: (settings: Settings, parts: SourceParts<FeaturePolicies>) => Partial<ClientSource>;
  /** How applications learn that a person is signed out. */
  readonly signOuts?: (settings: Settings, core: Core) => Partial<SignOuts>;
  /** How the senders of tokens prove that they have a key. */
  readonly keyProofs?: (settings: Settings, core: Core) => KeyProofs;
}
