/** The addresses of logout. */
export const logoutPaths = { endSession: '/oauth/logout', confirm: '/oauth/logout/confirm' } as const;
