import type { Route } from '../http/route.ts';
import type { DescribedFeature } from '../describe/service-description.ts';
import type { FeatureExamples } from '../gallery/entries.ts';
import type { InteractionOptions } from '../interaction/interaction-context.ts';
import type { Pages } from '../pages/kit/pages.ts';
import type { OptionalAuthentication } from '../core/offered/client-authentication.ts';
import type { GrantType } from '../core/offered/grant-type-table.ts';
import type { EngineFeature } from '../engine/engine-feature.ts';
import type { SignOuts } from '../core/connections/sign-outs.ts';
import type { KeyRing } from '../core/keys/keys.ts';
import type { Clients } from '../core/clients/client-manager.ts';
import type { Decisions } from '../core/decisions/decisions.ts';
import type { LimitManager } from '../core/limits/limit-manager.ts';
import type { Host } from '../host/host.ts';
import type { Audit } from '../observe/audit.ts';
import type { Records } from '../records/records.ts';
import type { Finding } from '../kernel/finding.ts';
import type { CampusOptions, Settings } from '../options/options.ts';
import type { Policies } from '../options/policies.ts';
import type { RegistrationExplanation } from '../core/clients/registered-metadata.ts';
import type { Site } from '../host/school-platform.ts';

/** From what a feature makes its part of the engine, its routes and its findings. */
export interface FeatureParts {
  readonly settings: Settings;
  readonly policies: Policies;
  readonly host: Host;
  readonly records: Records;
  readonly clients: Clients;
  readonly decisions: Decisions;
  readonly limits: LimitManager;
  readonly pages: Pages;
  readonly audit: Audit;
  readonly keys: KeyRing;
  readonly signOuts: SignOuts;
}

/**
 * What switches a feature on: its row in the option `grants`, its name in `clientAuthentication`, or an option of its own that is set, and no
 * empty list.
 */
export type FeatureKey =
  | { readonly grant: GrantType }
  | { readonly clientAuthentication: OptionalAuthentication }
  | { readonly option: keyof Settings & keyof CampusOptions };

/**
 * What a feature does. What it is, its records, texts, options, grant type and findings, is in the tables of `lib/features`, of which
 * everything else derives its types.
 */
export interface Feature {
  readonly key: FeatureKey;
  readonly engine?: (parts: FeatureParts) => EngineFeature;
  /** Its pages and endpoints, beside those of the engine. */
  readonly routes?: (options: InteractionOptions, parts: FeatureParts) => readonly Route[];
  readonly described: DescribedFeature;
  readonly examples?: FeatureExamples;
  /** What is wrong with it at a site. */
  readonly findings?: (parts: FeatureParts, site: Site) => Promise<readonly Finding[]>;
  /** Whether a program with this metadata would get in, and why. */
  readonly explain?: (parts: FeatureParts, site: Site, body: unknown) => Promise<RegistrationExplanation>;
}

/** A feature that is on, with what it adds to the engine. */
export interface FeatureInUse {
  readonly feature: Feature;
  readonly engine: EngineFeature;
}
