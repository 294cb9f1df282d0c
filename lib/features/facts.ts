import {
  deviceFindings,
  type DeviceGrant,
  type DeviceGrantRow,
  deviceGrantRow,
  deviceRecords,
} from './device/facts.ts';
import {
  servicesFindings,
  type ServicesGrant,
  type ServicesGrantRow,
  servicesGrantRow,
  servicesRecords,
} from './services/facts.ts';

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
export const featureRecords: typeof servicesRecords & typeof deviceRecords = { ...servicesRecords, ...deviceRecords };

/** What `campus.diagnose()` can find about features. */
export const featureFindings: typeof servicesFindings & typeof deviceFindings = {
  ...servicesFindings,
  ...deviceFindings,
};
