import type { FeatureExamples } from './feature-examples.ts';
import { mergedOf, withAll } from '../kernel/merged.ts';
import type { Settings } from '../options/options.ts';
import { applications } from './applications/feature.ts';
import { assistants } from './assistants/feature.ts';
import { boundaries } from './boundaries/feature.ts';
import { yourApps } from './your-apps/feature.ts';
import { departures } from './departures/feature.ts';
import { device } from './device/feature.ts';
import { dpop } from './dpop/feature.ts';
import type { Feature, FeatureInUse } from './feature.ts';
import type { FeatureInTests } from './feature-in-tests.ts';
import { log } from './log/feature.ts';
import { logout } from './logout/feature.ts';
import { metadataDocuments } from './metadata-documents/feature.ts';
import { movedSites } from './moved-sites/feature.ts';
import { privateKeyJwt } from './private-key-jwt/feature.ts';
import type { Parts } from './parts.ts';
import { people } from './people/feature.ts';
import { apps } from './apps/feature.ts';
import { pseudonyms } from './pseudonyms/feature.ts';
import { registration } from './registration/feature.ts';
import { services } from './services/feature.ts';

/** Every feature, in the order of the documents. */
export const features: readonly Feature[] = [
  applications,
  yourApps,
  apps,
  assistants,
  movedSites,
  people,
  departures,
  registration,
  metadataDocuments,
  services,
  device,
  privateKeyJwt,
  dpop,
  logout,
  boundaries,
  pseudonyms,
  log,
];

/** A part of the core: what stands without features, with what a feature makes in its place. */
export function fromFeatures<T extends object>(none: T, make: (feature: Feature) => Partial<T> | undefined): T {
  return features.reduce<T>((made, each) => ({ ...made, ...make(each) }), none);
}

/** Those that the host has switched on, and those that are always on, each with what it adds to the engine. */
export function featuresOn(parts: Parts): readonly FeatureInUse[] {
  const on = features.filter((feature) => isOn(parts.settings, feature));
  return on.map((feature) => ({ feature, engine: feature.engine?.(parts) ?? { configuration: {} } }));
}

function isOn(settings: Settings, { grantType, authentication, option }: Feature): boolean {
  if (grantType) return settings.enabled.hasGrant(grantType.name);
  if (authentication) return settings.enabled.introspectionAuthentication.includes(authentication);
  if (option === undefined) return true;
  const value = settings[option];
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}

/** Their pages in the gallery, which shows also those that are off. */
export function featureExamples(): FeatureExamples {
  const all = features.flatMap(({ examples }) => examples ?? []);
  return {
    settings: withAll(
      {},
      all.map(({ settings }) => settings),
    ),
    messages: mergedOf(all.map(({ messages }) => messages)),
    consents: mergedOf(all.map(({ consents }) => consents)),
    visits: mergedOf(all.map(({ visits }) => visits)),
  };
}

/** What they do in the campus of `campus-oidc/testing`. */
export const featuresInTests: readonly FeatureInTests[] = features.flatMap(({ inTests }) => inTests ?? []);

/** Whether apps get in that nobody at the school has created an application for. */
export function letsAppsIn(on: readonly FeatureInUse[]): boolean {
  return on.some(({ feature }) => feature.described?.clients !== undefined);
}
