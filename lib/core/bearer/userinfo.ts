import type { Bearer } from './verify.ts';
import type { PluginQuotas } from '../limits/call-quotas.ts';
import type { Route } from '../../http/route.ts';
import { claimsFor } from '../../host/member-claims.ts';
import { OAuthError } from '../../kernel/errors.ts';
import { exposingNonce } from '../../http/cors.ts';
import { paths } from '../../http/paths.ts';
import { koaRequest } from '../../http/received-request.ts';
import { setHeaders } from '../../http/send.ts';
import { sendBearerError, verifyBearerToken } from './guard.ts';
import type { AddedClaims } from '../../host/host-claims.ts';

const scopes = ['openid'] as const;

interface UserinfoOptions {
  readonly addedClaims: AddedClaims;
  readonly bearer: Bearer;
  readonly quotas: PluginQuotas;
}

/** UserInfo: the claims of the ID token, for a token of this origin. OIDC Core section 5.3. */
export function userinfoRoute({ bearer, quotas, addedClaims }: UserinfoOptions): Route {
  return {
    path: paths.userinfo,
    methods: ['GET', 'POST'],
    kind: 'api',
    handle: async ({ ctx, site }) => {
      try {
        const auth = { verify: bearer.verifyAny, dpop: bearer.dpop };
        const { token, pseudonym, headers } = await verifyBearerToken(auth, koaRequest(ctx), site, { scopes });
        if (!token) return;
        setHeaders(ctx, exposingNonce(headers));
        quotas.member(token);
        const { member, scopes: granted } = token;
        const claims = claimsFor(site, member, granted);
        // What the host adds can tell who the person is.
        if (pseudonym !== undefined) ctx.body = { ...claims, sub: pseudonym, subject_type: 'pairwise' };
        else ctx.body = { ...claims, ...(await addedClaims(site, member, granted)) };
      } catch (error) {
        if (!(error instanceof OAuthError)) throw error;
        sendBearerError(bearer, ctx, site, error, { scopes });
      }
    },
  };
}
