import type { Interaction } from 'oidc-provider';
import { messagePage } from '../pages/kit/error-page.ts';
import { redirectSeeOther } from '../pages/kit/pages.ts';
import { epochSeconds } from '../runtime/clock.ts';
import type { InteractionContext } from './interaction-context.ts';

/**
 * Accepts the platform's sign-in, or redirects to its sign-in page. A platform that reports no `authTime` is trusted when
 * it sends the browser back.
 */
export async function signIn(context: InteractionContext): Promise<void> {
  const { options, route, request, interaction } = context;
  const { ctx, site } = route;
  const signedIn = await request.signedIn();
  const sent = interaction.result?.['sentToSignIn'] === true;
  const notBefore = notBeforeOf(interaction, sent);
  if (signedIn && (notBefore === undefined || isFresh(signedIn.authTime, notBefore, sent))) {
    const { memberId, authTime, amr } = signedIn;
    return context.finish({ login: { accountId: memberId, ts: authTime, amr: amr && [...amr] } });
  }
  const loginHint = interaction.params['login_hint'];
  const hint = { fresh: notBefore !== undefined, ...(typeof loginHint === 'string' && { loginHint }) };
  const signInUrl = await options.platform.signInUrl(ctx, site, context.url(), hint);
  // The browser came back from the sign-in page with an authentication older than the application accepts.
  if (signedIn && sent) {
    const action = { text: 'signIn.again.button', href: signInUrl } as const;
    const page = messagePage({ title: 'signIn.again.title', texts: ['signIn.again.text'], status: 403, action });
    return context.send(page);
  }
  await context.save({ sentToSignIn: true });
  redirectSeeOther(ctx, signInUrl);
}

/** An authentication in the same second as the request counts only after the browser was sent to sign in. */
function isFresh(authTime: number | undefined, notBefore: number, sent: boolean): boolean {
  if (authTime === undefined) return sent;
  return authTime > notBefore || (sent && authTime === notBefore);
}

/** The earliest acceptable authentication; `undefined` when any is acceptable. OIDC Core section 3.1.2.1. */
function notBeforeOf({ prompt, params, iat }: Interaction, sent: boolean): number | undefined {
  if (prompt.reasons.includes('login_prompt') || prompt.reasons.includes('id_token_hint')) return iat;
  if (!prompt.reasons.includes('max_age')) return undefined;
  // Even with `max_age=0` an authentication for this request is acceptable.
  const oldest = epochSeconds() - Number(params['max_age']);
  return sent ? Math.min(iat, oldest) : oldest;
}
