import type { FeatureExamples } from '../feature-examples.ts';
import { approvalDeniedPage } from './pages/decide.ts';

/** A page in the gallery that only a policy leads to. */
export const appsExamples: FeatureExamples = {
  messages: { 'approval-denied': (_ctx, site) => approvalDeniedPage(site, '#') },
};
