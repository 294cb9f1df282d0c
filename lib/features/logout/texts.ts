/** The name of its pages, for a template of the host. */
export type LogoutPageName = 'logout';
