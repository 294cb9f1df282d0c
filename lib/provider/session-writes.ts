import type { AdapterPayload } from 'oidc-provider';
import type { AuthorizationLimiter } from '../rate-limit/limiter.ts';
import { OAuthError } from '../protocol/errors.ts';
import type { EngineRequest } from './engine-request.ts';

/**
 * Whether the engine's session is stored. The engine makes one for every request whose browser brought none, also for one that
 * is refused, so anyone could store any number of them. An interaction was counted; a code that comes at once counts here.
 */
export async function mayWriteSession(
  request: EngineRequest,
  { accountId }: AdapterPayload,
  { limitAuthorizations }: { readonly limitAuthorizations: AuthorizationLimiter },
): Promise<boolean> {
  const { sessionGrounds: grounds, purpose, ctx, site } = request;
  if (grounds.has('found') || grounds.has('Interaction')) return true;
  if (!grounds.has('AuthorizationCode')) return false;
  if (purpose !== 'start') return true;
  try {
    await limitAuthorizations(ctx, site.id, accountId);
    return true;
  } catch (error) {
    // The code is valid without: the next request joins the platform's session again.
    if (error instanceof OAuthError && error.error === 'slow_down') return false;
    throw error;
  }
}
