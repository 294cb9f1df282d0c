import { boundariesFindings } from './boundaries/facts.ts';
import {
  deviceFindings,
  type DeviceGrant,
  type DeviceGrantRow,
  deviceGrantRow,
  deviceRecords,
} from './device/facts.ts';
import { logoutFindings } from './logout/facts.ts';
import { privateKeyJwtFindings, privateKeyJwtRow, type PrivateKeyJwtRow } from './private-key-jwt/facts.ts';
import { pseudonymsFindings } from './pseudonyms/facts.ts';
import { registrationFindings } from './registration/facts.ts';
import { servicesFindings, type ServicesGrant, type ServicesGrantRow, servicesGrantRow } from './services/facts.ts';

/** A way to authenticate a client that is a feature. */
export type FeatureAuthenticationRow = PrivateKeyJwtRow;

export const featureAuthentication: { readonly [R in FeatureAuthenticationRow as R['name']]: R } = {
  [privateKeyJwtRow.name]: privateKeyJwtRow,
};

/** A grant type of a feature. */
export type FeatureGrantRow = ServicesGrantRow | DeviceGrantRow;

/** In the order of the documents. */
export const featureGrants: { readonly [R in FeatureGrantRow as R['name']]: R } = {
  [servicesGrantRow.name]: servicesGrantRow,
  [deviceGrantRow.name]: deviceGrantRow,
};

/** What their functions of `campus-oidc/grants` return. */
export type FeatureGrant = ServicesGrant | DeviceGrant;

/** The kinds of record of features. */
export const featureRecords: typeof deviceRecords = { ...deviceRecords };

/** What `campus.diagnose()` can find about features. */
export const featureFindings: typeof registrationFindings &
  typeof servicesFindings &
  typeof deviceFindings &
  typeof privateKeyJwtFindings &
  typeof logoutFindings &
  typeof pseudonymsFindings &
  typeof boundariesFindings = {
  ...registrationFindings,
  ...servicesFindings,
  ...deviceFindings,
  ...privateKeyJwtFindings,
  ...logoutFindings,
  ...pseudonymsFindings,
  ...boundariesFindings,
};

export type FeatureFinding = keyof typeof featureFindings;
