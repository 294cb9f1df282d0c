export const deviceFindings = {
  'devices-off': ['warning', 'put deviceAuthorization() of campus-oidc/grants into grants, or change the applications'],
} as const;
