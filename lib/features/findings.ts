import { deviceFindings } from './device/findings.ts';
import { servicesFindings } from './services/findings.ts';

/** What `campus.diagnose()` can find about features. */
export const featureFindings: typeof servicesFindings & typeof deviceFindings = {
  ...servicesFindings,
  ...deviceFindings,
};
