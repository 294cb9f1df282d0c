export const registrationFindings = {
  'registration-shadowed': ['warning', 'put the policy that is never asked first, or remove it'],
  'registration-failing': ['error', 'repair the policy: a registration that it decides gets 503'],
} as const;
