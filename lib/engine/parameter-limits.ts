import type { AddedStep } from './authorization-step.ts';

/** Without `id_token_hint`, which has a limit of its own. */
export const queryLimit = 8192;

/** The most characters of each parameter that is stored while a request waits for a person. */
export const parameterLimits = {
  response_type: 100,
  response_mode: 100,
  client_id: 2000,
  redirect_uri: 2000,
  scope: 4000,
  resource: 2000,
  state: 2000,
  nonce: 500,
  code_challenge: 43,
  code_challenge_method: 20,
  prompt: 100,
  max_age: 20,
  login_hint: 500,
  id_token_hint: 6000,
  ui_locales: 500,
  claims_locales: 500,
  acr_values: 500,
  display: 20,
} as const;

/** By its name, the most characters of each parameter of an authorization request; the engine ignores all others. */
export type AuthorizationParameters = ReadonlyMap<string, number>;

/** The one list of them, with those that features add. */
export function authorizationParameters(added: readonly AddedStep[] = []): AuthorizationParameters {
  const own = added.map(({ parameter, maxLength }) => [parameter, maxLength] as const);
  return new Map([...Object.entries(parameterLimits), ...own]);
}
