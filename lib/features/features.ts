import type { FeatureExamples } from '../gallery/entries.ts';
import { mergedOf } from '../kernel/merged.ts';
import type { Settings } from '../options/options.ts';
import { boundaries } from './boundaries/feature.ts';
import { device } from './device/feature.ts';
import type { Feature, FeatureInUse, FeatureKey, FeatureParts } from './feature.ts';
import { logout } from './logout/feature.ts';
import { metadataDocuments } from './metadata-documents/feature.ts';
import { privateKeyJwt } from './private-key-jwt/feature.ts';
import { pseudonymsFeature } from './pseudonyms/feature.ts';
import { registration } from './registration/feature.ts';
import { services } from './services/feature.ts';

/** Every feature, in the order of the documents. */
export const features: readonly Feature[] = [
  registration,
  metadataDocuments,
  services,
  device,
  privateKeyJwt,
  logout,
  boundaries,
  pseudonymsFeature,
];

/** Those that the host has switched on, each with what it adds to the engine. */
export function featuresOn(parts: FeatureParts): readonly FeatureInUse[] {
  const on = features.filter(({ key }) => isOn(parts.settings, key));
  return on.map((feature) => ({ feature, engine: feature.engine?.(parts) ?? { configuration: {} } }));
}

function isOn(settings: Settings, key: FeatureKey): boolean {
  const { hasGrant, hasMethod } = settings.offered;
  if ('grant' in key) return hasGrant(key.grant);
  if ('clientAuthentication' in key) return hasMethod(key.clientAuthentication);
  const value = settings[key.option];
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}

/** Their pages in the gallery, which shows also those that are off. */
export function featureExamples(): FeatureExamples {
  const all = features.flatMap(({ examples }) => examples ?? []);
  return {
    messages: mergedOf(all.map(({ messages }) => messages)),
    consents: mergedOf(all.map(({ consents }) => consents)),
    visits: mergedOf(all.map(({ visits }) => visits)),
  };
}

/** Whether programs get in that nobody at the school has created an application for. */
export function letsProgramsIn(on: readonly FeatureInUse[]): boolean {
  return on.some(({ feature }) => feature.described.clients !== undefined);
}
