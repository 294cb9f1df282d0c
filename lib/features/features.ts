import type { Offered } from '../core/offered/offered.ts';
import type { FeatureExamples } from '../gallery/entries.ts';
import { mergedOf } from '../kernel/merged.ts';
import { device } from './device/feature.ts';
import type { EngineParts, Feature, FeatureInUse, FeatureKey } from './feature.ts';
import { privateKeyJwt } from './private-key-jwt/feature.ts';
import { services } from './services/feature.ts';

/** Every feature, in the order of the documents. */
export const features: readonly Feature[] = [services, device, privateKeyJwt];

/** Those that the host has switched on, each with what it adds to the engine. */
export function featuresOn(offered: Offered, parts: EngineParts): readonly FeatureInUse[] {
  const on = features.filter(({ key }) => isOn(offered, key));
  return on.map((feature) => ({ feature, engine: feature.engine(parts) }));
}

function isOn({ hasGrant, hasMethod }: Offered, key: FeatureKey): boolean {
  return 'grant' in key ? hasGrant(key.grant) : hasMethod(key.clientAuthentication);
}

/** Their pages in the gallery, which shows also those that are off. */
export function featureExamples(): FeatureExamples {
  const messages = mergedOf(features.map(({ examples }) => examples?.messages));
  return { messages, consents: mergedOf(features.map(({ examples }) => examples?.consents)) };
}
