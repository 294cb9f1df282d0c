import type { FeatureGrant } from '../../features/grants.ts';

/** A grant type that the host has switched on: what a function of `campus-oidc/grants` returns. */
export type OptionalGrant = FeatureGrant;
