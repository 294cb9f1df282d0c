import {
  deviceClientField,
  deviceInputField,
  type DeviceClientField,
  deviceLimits,
  type DeviceLimits,
} from './device/options.ts';
import { documentLimits, type DocumentLimits } from './metadata-documents/options.ts';
import { registrationLimits, type RegistrationLimits } from './registration/options.ts';

/** What a client has for the features: members that give it a grant type. */
export type FeatureClientFields = DeviceClientField;

/** @internal */
export const featureClientFields: typeof deviceClientField = { ...deviceClientField };

/** @internal */
export const featureInputFields: typeof deviceInputField = { ...deviceInputField };

/** Limits of features that let programs in. */
export type ClientSourceLimits = RegistrationLimits & DocumentLimits;

/** @internal */
export const clientSourceLimits: typeof registrationLimits & typeof documentLimits = {
  ...registrationLimits,
  ...documentLimits,
};

/** Limits of other features, beside those of the core. */
export type FeatureLimits = DeviceLimits;

/** @internal */
export const featureLimits: typeof deviceLimits = { ...deviceLimits };
