import type { KoaContextWithOIDC } from 'oidc-provider';
import { InvalidRedirectUri, InvalidRequest, InvalidScope } from '../protocol/errors.ts';
import { isLoopbackRedirect } from '../protocol/redirect-uri.ts';
import { isScope, splitScope } from '../protocol/scopes.ts';
import { epochSeconds } from '../runtime/clock.ts';
import { currentEngineRequest } from './engine-request.ts';
import { inEngine } from './engine-errors.ts';

type Validator = (ctx: KoaContextWithOIDC, value: unknown) => Promise<void>;

/**
 * What we want of an authorization request beyond the engine's checks. The engine runs these after it has checked the
 * redirect URI, so that a refusal reaches the client, and before it looks at who is signed in.
 */
export const parameterRules: Readonly<Record<string, Validator>> = {
  /** Unknown scopes are an error, not dropped in silence. Specification: Errors, invalid_scope. */
  scope: (ctx) =>
    inEngine(() => {
      // As sent: by now the engine has dropped offline_access.
      const { scope: sent } = ctx.query;
      const unknown = splitScope(typeof sent === 'string' ? sent : undefined).filter((scope) => !isScope(scope));
      if (unknown.length > 0) {
        throw new InvalidScope(`unknown scope: ${unknown.join(' ')}; scopes_supported in the metadata lists all`);
      }
    }),
  /** The engine's match of loopback addresses takes odd ports such as `:05`; one spelling is enough. RFC 8252 section 7.3. */
  redirect_uri: (_ctx, value) =>
    inEngine(() => {
      if (typeof value !== 'string' || !value.startsWith('http:')) return;
      if (!isLoopbackRedirect(value, { localhost: true }))
        throw new InvalidRedirectUri('redirect_uri is not spelled as a loopback address is');
    }),
  /** The engine lets `resource` be repeated; we have one resource. */
  resource: (_ctx, value) =>
    inEngine(() => {
      if (Array.isArray(value)) throw new InvalidRequest('resource must not be sent more than once');
    }),
  /** A SHA-256 in base64url has 43 characters. RFC 7636 section 4.2. */
  code_challenge: (_ctx, value) =>
    inEngine(() => {
      if (typeof value !== 'string' || !/^[\w-]{43}$/.test(value)) {
        throw new InvalidRequest('code_challenge must be the SHA-256 of the verifier in base64url: 43 characters');
      }
    }),
  prompt: (ctx) => inEngine(() => joinPlatformSession(ctx)),
};

/** Whoever is signed in at the platform is signed in here, with the same authentication time. */
async function joinPlatformSession(ctx: KoaContextWithOIDC): Promise<void> {
  const { session } = ctx.oidc;
  const call = currentEngineRequest();
  const signedIn = await call.signedIn();
  if (!session || !signedIn) return;
  const loginTs = signedIn.authTime ?? session.loginTs ?? epochSeconds();
  if (session.accountId === signedIn.memberId && session.loginTs === loginTs) return;
  session.loginAccount({ accountId: signedIn.memberId, loginTs, amr: signedIn.amr && [...signedIn.amr] });
}
