import type { LimitChoices } from '../core/boundaries/limit-choices.ts';
import type { Clients } from '../core/clients/client-manager.ts';
import type { ClientSource } from '../core/clients/client-source.ts';
import type { Subjects } from '../core/clients/subjects.ts';
import type { SignOuts } from '../core/connections/sign-outs.ts';
import type { SourceParts, VersionParts } from '../core/decisions/client-source-parts.ts';
import type { KeyRing } from '../core/keys/keys.ts';
import type { Outbound } from '../core/outbound/outbound.ts';
import type { ClientVersions } from '../core/reviews/client-versions.ts';
import type { Host } from '../host/host.ts';
import type { Audit } from '../observe/audit.ts';
import type { FeaturePolicies, Settings } from '../options/options.ts';
import type { Records } from '../records/records.ts';

/** Parts of the core that a feature makes, in place of those that do nothing. `campus.ts` has their order. */
export interface CoreFeature {
  /** The names under which clients know people. */
  readonly subjects?: (settings: Settings) => Partial<Subjects>;
  /** What people choose the limits of a connection with. */
  readonly limitChoices?: (policies: FeaturePolicies) => LimitChoices;
  /** The versions of its clients, on which schools decide. */
  readonly clientVersions?: (parts: VersionParts<FeaturePolicies>) => Partial<ClientVersions>;
  /** Its clients, which nobody creates or registers at a school. */
  readonly clientSource?: (settings: Settings, parts: SourceParts<FeaturePolicies>) => Partial<ClientSource>;
  /** How applications learn that a person is signed out. */
  readonly signOuts?: (settings: Settings, parts: SignOutParts) => Partial<SignOuts>;
}

export interface SignOutParts {
  readonly host: Host;
  readonly records: Records;
  readonly clients: Clients;
  readonly keys: KeyRing;
  readonly outbound: Outbound;
  readonly audit: Audit;
}
