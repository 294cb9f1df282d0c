import type { FeatureGrant } from '../../features/facts.ts';

/** A grant type that the host has switched on: what a function of `campus-oidc/grants` returns. */
export type OptionalGrant = FeatureGrant;
