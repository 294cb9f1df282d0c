/** The addresses of logout. */
export const logoutPaths = { endSession: '/oauth/logout', confirm: '/oauth/logout/confirm' } as const;

export const logoutFindings = {
  'logout-undelivered': [
    'warning',
    'make the address answer with 200 within 5 seconds, or correct it in the application; the person may still be signed in there',
  ],
} as const;
