import type { FeatureInTests } from './feature-in-tests.ts';
import { documentsInTests } from './metadata-documents/in-tests.ts';

/** Features that `campus-oidc/testing` takes into account. */
export const featuresInTests: readonly FeatureInTests[] = [documentsInTests];
