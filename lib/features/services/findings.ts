export const servicesFindings = {
  'services-off': ['warning', 'put clientCredentials() of campus-oidc/grants into grants, or remove the services'],
} as const;
