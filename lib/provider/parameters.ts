import type { KoaContextWithOIDC } from 'oidc-provider';
import { InvalidRedirectUri, InvalidRequest, InvalidScope } from '../protocol/errors.ts';
import { isLoopbackRedirect } from '../protocol/redirect-uri.ts';
import { type ScopeCatalogue, splitScope } from '../protocol/scopes.ts';
import { epochSeconds } from '../runtime/clock.ts';
import { inEngine } from './engine-errors.ts';
import { currentEngineRequest } from './engine-request.ts';
import { checkParameters } from './parameter-checks.ts';

type Rule = (ctx: KoaContextWithOIDC, value: unknown) => void | Promise<void>;

const rulesFor = (catalogue: ScopeCatalogue): Readonly<Record<string, Rule>> => ({
  /** Checks all parameters, before those that follow: nothing is stored yet. */
  response_type: ({ query }) => checkParameters(query),
  scope: scopeRule(catalogue),
  /** The engine accepts malformed loopback ports such as `:05`. RFC 8252 section 7.3. */
  redirect_uri: (_ctx, value) => {
    if (typeof value !== 'string' || !value.startsWith('http:')) return;
    if (!isLoopbackRedirect(value, { localhost: true }))
      throw new InvalidRedirectUri(
        'redirect_uri must be a loopback address with a valid port, for example http://127.0.0.1:49152/callback',
      );
  },
  /** The engine accepts several resources; there is one here. */
  resource: (_ctx, value) => {
    if (Array.isArray(value)) throw new InvalidRequest('resource must not be sent more than once');
  },
  /** A SHA-256 in base64url has 43 characters. RFC 7636 section 4.2. */
  code_challenge: (_ctx, value) => {
    if (typeof value === 'string' && /^[\w-]{43}$/.test(value)) return;
    throw new InvalidRequest('code_challenge must be the SHA-256 of the verifier in base64url: 43 characters');
  },
  /** The engine accepts every spelling of a number, and drops 0 before it comes here. OIDC Core section 3.1.2.1. */
  max_age: ({ query: { max_age: sent = '' } }) => {
    if (sent !== '' && !/^\d+$/.test(String(sent))) {
      throw new InvalidRequest('max_age must be a number of seconds in decimal digits');
    }
  },
  /** Not a check: this is the last callback before the engine reads its session. */
  prompt: joinPlatformSession,
});

/** The engine ignores unknown scopes. Specification: Errors, invalid_scope. */
function scopeRule({ has }: ScopeCatalogue): Rule {
  return ({ query: { scope: sent } }) => {
    // The engine has removed unknown scopes from its own parameters by now.
    const unknown = splitScope(typeof sent === 'string' ? sent : undefined).filter((scope) => !has(scope));
    if (unknown.length === 0) return;
    throw new InvalidScope(`unknown scope: ${unknown.join(' ')}; scopes_supported in the metadata lists all`);
  };
}

/**
 * Checks of an authorization request in addition to the engine's. The engine runs them after it has checked the redirect
 * URI, so that an error reaches the client, and before it reads the session.
 */
export function parameterRules(
  catalogue: ScopeCatalogue,
): Readonly<Record<string, (...call: Parameters<Rule>) => Promise<void>>> {
  const rules = Object.entries(rulesFor(catalogue));
  return Object.fromEntries(rules.map(([name, rule]) => [name, (ctx, value) => inEngine(() => rule(ctx, value))]));
}

/** Signs the person in to the engine's session as in the platform's, with the same authentication time. */
async function joinPlatformSession(ctx: KoaContextWithOIDC): Promise<void> {
  const { session } = ctx.oidc;
  const signedIn = await currentEngineRequest().signedIn();
  if (!session || !signedIn) return;
  const loginTs = signedIn.authTime ?? session.loginTs ?? epochSeconds();
  if (session.accountId === signedIn.memberId && session.loginTs === loginTs) return;
  session.loginAccount({ accountId: signedIn.memberId, loginTs, amr: signedIn.amr && [...signedIn.amr] });
}
