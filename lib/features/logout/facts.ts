/** The addresses of logout. */
export const logoutPaths = { endSession: '/oauth/logout', confirm: '/oauth/logout/confirm' } as const;

export const logoutFindings = {
  'logout-off': [
    'warning',
    'set the option logout, or remove the addresses; without it nobody is signed out of these, and they cannot sign people out of the school',
  ],
  'logout-undelivered': [
    'warning',
    'make the address answer with 200 within 5 seconds, or correct it in the application; the person may still be signed in there',
  ],
} as const;
