import type { ScopeCatalogue } from '../core/scopes/scopes.ts';
import type { ClientPolicy } from '../core/clients/client.ts';
import type { KnownClients } from '../core/clients/client-finder.ts';
import type { Member, Site } from '../host/school-platform.ts';
import type { OnFault } from '../observe/events.ts';
import { boundaryPolicies, type BoundaryPolicies } from './boundaries/domain/checked-lists.ts';
import {
  boundariesOption,
  type BoundariesOption,
  type BoundariesSettings,
  checkBoundaries,
} from './boundaries/domain/option.ts';
import { metadataDocumentsOption, type MetadataDocumentsOption } from './metadata-documents/domain/option.ts';
import {
  documentPolicies,
  type DocumentPolicies,
  type DocumentPolicySettings,
  knownDocuments,
} from './metadata-documents/domain/wrapped-policy.ts';
import { logoutOption, type LogoutOption, type LogoutSettings } from './logout/domain/option.ts';
import { pseudonymOption, type PseudonymOption, type PseudonymSettings } from './pseudonyms/domain/option.ts';
import {
  registrationOption,
  type RegistrationOption,
  type RegistrationSettings,
  policiesOf,
} from './registration/domain/option.ts';
import { registrationPolicies, type RegistrationPolicies } from './registration/domain/wrapped-policies.ts';

/** The options of `createCampus` that switch features on with policies of the host. */
export type FeatureOptions<School extends Site = Site, Person extends Member = Member> = RegistrationOption<School> &
  MetadataDocumentsOption &
  BoundariesOption<School, Person> &
  LogoutOption<School> &
  PseudonymOption;

/** The same as they are read. */
export type FeatureSettings = RegistrationSettings &
  MetadataDocumentsOption &
  BoundariesSettings &
  LogoutSettings &
  PseudonymSettings;

/** @internal */
export const featureOptions: typeof registrationOption &
  typeof metadataDocumentsOption &
  typeof boundariesOption &
  typeof logoutOption &
  typeof pseudonymOption = {
  ...registrationOption,
  ...metadataDocumentsOption,
  ...boundariesOption,
  ...logoutOption,
  ...pseudonymOption,
};

/** @throws TypeError for what only the catalogue of scopes shows @internal */
export function checkFeatureOptions(settings: FeatureSettings, catalogue: ScopeCatalogue): void {
  checkBoundaries(settings, catalogue);
}

/** Policies that may know clients in advance. */
export function clientPolicies(settings: FeatureSettings): readonly ClientPolicy[] {
  return [...policiesOf(settings)];
}

/** The host's policies in these options. */
export type FeaturePolicies = RegistrationPolicies & DocumentPolicies & BoundaryPolicies;

/** From what they are made. */
export type FeaturePolicySettings = RegistrationSettings & DocumentPolicySettings & BoundariesSettings;

/** What they return is checked, and their failures are reported as faults. */
export function featurePolicies(settings: FeaturePolicySettings, onFault: OnFault): FeaturePolicies {
  return {
    ...registrationPolicies(settings, onFault),
    ...documentPolicies(settings, onFault),
    ...boundaryPolicies(settings, onFault),
  };
}

/** What they know of clients by their ids alone. */
export function knownClients(policies: FeaturePolicies, catalogue: ScopeCatalogue): KnownClients {
  return { ...knownDocuments(policies, catalogue) };
}
