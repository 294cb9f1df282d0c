import type { KoaContextWithOIDC } from 'oidc-provider';
import { epochSeconds } from '../kernel/clock.ts';
import { inEngine } from './engine-errors.ts';
import { requestOf } from './engine-request.ts';

/** Signs the person in to the engine's session as in the platform's, with the same authentication time. */
export async function joinPlatformSession(ctx: KoaContextWithOIDC): Promise<void> {
  const { session } = ctx.oidc;
  // The request of an app comes without a session.
  const signedIn = session && (await inEngine(() => requestOf(ctx).signedIn()));
  if (!signedIn) return;
  const loginTs = signedIn.authTime ?? session.loginTs ?? epochSeconds();
  const { memberId: accountId, amr, acr } = signedIn;
  // A second factor can come without another sign-in.
  const isSame = session.accountId === accountId && session.loginTs === loginTs && session.acr === acr;
  if (!isSame) session.loginAccount({ accountId, loginTs, amr: amr && [...amr], acr });
}
