import {
  deviceClientField,
  deviceInputField,
  type DeviceClientField,
  deviceLimits,
  type DeviceLimits,
} from './device/options.ts';

/** What a client has for the features: members that give it a grant type. */
export type FeatureClientFields = DeviceClientField;

/** @internal */
export const featureClientFields: typeof deviceClientField = { ...deviceClientField };

/** @internal */
export const featureInputFields: typeof deviceInputField = { ...deviceInputField };

/** Limits of features, beside those of the core. */
export type FeatureLimits = DeviceLimits;

/** @internal */
export const featureLimits: typeof deviceLimits = { ...deviceLimits };
