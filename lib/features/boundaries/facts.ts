export const boundariesFindings = {
  'limits-waiting': ['warning', 'run campus-oidc store upgrade when every process runs this release'],
} as const;
