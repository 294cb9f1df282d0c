import { authorizationCode } from '../core/enabled/grant-type.ts';
import { field, type Form } from '../http/body.ts';
import type { EngineRequest } from './engine-request.ts';

/**
 * Clients of OAuth 2.1 redeem a code without `redirect_uri`: its challenge says that it is theirs. The engine, which compares the two, gets the
 * one of the code. A code without a challenge needs it. OAuth 2.1 section 10.2.
 */
export async function withRedirectUri({ records }: EngineRequest, form: Form): Promise<Form> {
  const code = field(form, 'code');
  const isLeftOut = field(form, 'grant_type') === authorizationCode.name && !field(form, 'redirect_uri');
  if (!code || !isLeftOut) return form;
  const binding = await records.bindingOfCode(code);
  // The engine would call the parameter missing, not the code unknown.
  if (!binding) return { ...form, redirect_uri: 'left out' };
  return binding.challenge === undefined ? form : { ...form, redirect_uri: binding.redirectUri };
}
