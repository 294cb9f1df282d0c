import type { JsonMembers } from '../kernel/json.ts';
import {
  deviceClientField,
  deviceInputField,
  type DeviceClientField,
  deviceLimits,
  type DeviceLimits,
} from './device/options.ts';
import { documentLimits, type DocumentLimits } from './metadata-documents/options.ts';
import {
  logoutClientFields,
  logoutInputFields,
  type LogoutClient,
  logoutOf,
  logoutProperties,
  storedLogout,
} from './logout/options.ts';
import {
  type PseudonymClient,
  pseudonymClientFields,
  pseudonymInputFields,
  pseudonymProperties,
  storedSubject,
  subjectOf,
} from './pseudonyms/options.ts';
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

/** Properties of clients that belong to features, and give no grant type. */
export type FeatureClientProperties = LogoutClient & PseudonymClient;

/** @internal */
export const featureProperties: typeof logoutProperties & typeof pseudonymProperties = {
  ...logoutProperties,
  ...pseudonymProperties,
};

/** @internal */
export const featurePropertyFields: typeof logoutClientFields & typeof pseudonymClientFields = {
  ...logoutClientFields,
  ...pseudonymClientFields,
};

/** The same in an application, whose members are checked later. @internal */
export const featureInputProperties: typeof logoutInputFields & typeof pseudonymInputFields = {
  ...logoutInputFields,
  ...pseudonymInputFields,
};

/** Those of a client, as its record has them. @internal */
export function storedProperties(client: FeatureClientProperties): JsonMembers {
  return { ...storedLogout(client), ...storedSubject(client) };
}

/** Those of a record. @internal */
export function propertiesOf(client: JsonMembers): FeatureClientProperties {
  return { ...logoutOf(client), ...subjectOf(client) };
}
