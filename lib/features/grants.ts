import { type DeviceGrant, type DeviceGrantRow, deviceGrantRow } from './device/grant.ts';
import { type ServicesGrant, type ServicesGrantRow, servicesGrantRow } from './services/grant.ts';

/** A grant type of a feature. */
export type FeatureGrantRow = ServicesGrantRow | DeviceGrantRow;

/** In the order of the documents. */
export const featureGrants: { readonly [R in FeatureGrantRow as R['name']]: R } = {
  [servicesGrantRow.name]: servicesGrantRow,
  [deviceGrantRow.name]: deviceGrantRow,
};

/** What their functions of `campus-oidc/grants` return. */
export type FeatureGrant = ServicesGrant | DeviceGrant;
