import type { Route } from '../http/route.ts';
import type { DescribedFeature } from '../describe/service-description.ts';
import type { FeatureExamples } from './feature-examples.ts';
import type { EngineFeature } from '../engine/engine-feature.ts';
import type { Finding, FindingTable } from '../kernel/finding.ts';
import type { CampusOptions, OptionFeature, Settings } from '../options/options.ts';
import type { BeforeRedemption } from '../engine/routes.ts';
import type { AnswerInstead } from '../http/router.ts';
import type { ApplicationField } from '../pages/kit/application-field.ts';
import type { CoreFeature } from './core-feature.ts';
import type { FeatureMethods } from './feature-methods.ts';
import type { Checks } from './method-checks.ts';
import type { FeatureInTests } from './feature-in-tests.ts';

import type { Parts, RouteParts } from './parts.ts';
import type { ToolPages } from './tool-pages.ts';
import type { RegistrationExplanation } from '../core/clients/registered-metadata.ts';
import type { Site } from '../host/school-platform.ts';

/**
 * A feature: one folder, and one line in `features.ts`. Each member is read by the part that declares its type: grant type, authentication and
 * properties of clients by `core/enabled`, limits by `core/limits`, texts by `i18n`, the rest here.
 */
export interface Feature extends OptionFeature, CoreFeature {
  /** What switches it on, if not its grant type or client authentication: an option of its own that is set, and no empty list. */
  readonly option?: keyof Settings & keyof CampusOptions;
  readonly engine?: (parts: Parts) => EngineFeature;
  /** Its pages and endpoints, beside those of the engine. */
  readonly routes?: (parts: RouteParts) => readonly Route[];
  readonly described?: DescribedFeature;
  readonly examples?: FeatureExamples;
  /** Fields in the form of an application, each for another member. */
  readonly fields?: readonly ApplicationField[];
  /** Pages for people who connect an app to the tools. */
  readonly toolPages?: ToolPages;
  /** What it answers in place of a route. */
  readonly answersInstead?: AnswerInstead;
  /** What it does before the tokens of a grant are issued. */
  readonly beforeRedemption?: BeforeRedemption;
  /** What it adds to `Campus`. */
  readonly methods?: (parts: Parts, check: Checks) => Partial<FeatureMethods>;
  /** What it does in the campus of `campus-oidc/testing`. */
  readonly inTests?: FeatureInTests;
  /** What `diagnose` can find. */
  readonly findings?: FindingTable;
  /** What is wrong with it at a school. */
  readonly diagnose?: (parts: Parts, site: Site) => Promise<readonly Finding[]>;
  /** Whether an app with this metadata would get in, and why. */
  readonly explain?: (parts: Parts, site: Site, body: unknown) => Promise<RegistrationExplanation>;
}

/** A feature that is on, with what it adds to the engine. */
export interface FeatureInUse {
  readonly feature: Feature;
  readonly engine: EngineFeature;
}
