import { optional, type RequestParameter } from '../../kernel/request-parameter.ts';

/** The parameters of the end session endpoint, each with its most characters. OpenID Connect RP-Initiated Logout 1.0 section 2. */
export const logoutParameters = {
  id_token_hint: {
    maxLength: 6000,
    text: 'An ID token that the application got, also an old one; at most 6,000 characters. It is not stored. With `client_id`, one whose key is gone is ignored.',
  },
  client_id: {
    maxLength: 2000,
    text: 'The application. With `id_token_hint`, the one that it was issued to: send it always, since keys are replaced.',
  },
  post_logout_redirect_uri: {
    maxLength: 2000,
    text: 'Where the person goes afterwards: exactly as it is registered. It needs `client_id` or `id_token_hint`.',
  },
  state: { maxLength: 2000, text: 'Comes back with `post_logout_redirect_uri`.' },
  ui_locales: { maxLength: 500, text: 'The languages that the person prefers.' },
} as const;

export type LogoutParameter = keyof typeof logoutParameters;

/** The same, as the documents list them. */
export const describedParameters: readonly RequestParameter[] = Object.entries(logoutParameters).map(
  ([name, { text, maxLength }]) => ({ ...optional(name, text), maxLength }),
);
