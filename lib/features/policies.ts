import type { ClientPolicy } from '../core/clients/client.ts';
import type { KnownClients } from '../core/clients/client-finder.ts';
import type { Site } from '../host/school-platform.ts';
import type { OnFault } from '../observe/events.ts';
import { metadataDocumentsOption, type MetadataDocumentsOption } from './metadata-documents/domain/option.ts';
import {
  documentPolicies,
  type DocumentPolicies,
  type DocumentPolicySettings,
  knownDocuments,
} from './metadata-documents/domain/wrapped-policy.ts';
import { logoutOption, type LogoutOption, type LogoutSettings } from './logout/domain/option.ts';
import {
  registrationOption,
  type RegistrationOption,
  type RegistrationSettings,
  policiesOf,
} from './registration/domain/option.ts';
import { registrationPolicies, type RegistrationPolicies } from './registration/domain/wrapped-policies.ts';

/** The options of `createCampus` that switch features on with policies of the host. */
export type FeatureOptions<School extends Site = Site> = RegistrationOption<School> &
  MetadataDocumentsOption &
  LogoutOption<School>;

/** The same as they are read. */
export type FeatureSettings = RegistrationSettings & MetadataDocumentsOption & LogoutSettings;

/** @internal */
export const featureOptions: typeof registrationOption & typeof metadataDocumentsOption & typeof logoutOption = {
  ...registrationOption,
  ...metadataDocumentsOption,
  ...logoutOption,
};

/** Policies that may know clients in advance. */
export function clientPolicies(settings: FeatureSettings): readonly ClientPolicy[] {
  return [...policiesOf(settings)];
}

/** The host's policies in these options. */
export type FeaturePolicies = RegistrationPolicies & DocumentPolicies;

/** From what they are made. */
export type FeaturePolicySettings = RegistrationSettings & DocumentPolicySettings;

/** What they return is checked, and their failures are reported as faults. */
export function featurePolicies(settings: FeaturePolicySettings, onFault: OnFault): FeaturePolicies {
  return { ...registrationPolicies(settings, onFault), ...documentPolicies(settings, onFault) };
}

/** What they know of clients by their ids alone. */
export function knownClients(policies: FeaturePolicies): KnownClients {
  return { ...knownDocuments(policies) };
}
