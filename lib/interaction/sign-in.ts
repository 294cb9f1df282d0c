import type { Interaction } from 'oidc-provider';
import type { PlatformSession, SignInHint } from '../contracts/platform.ts';
import { epochSeconds } from '../runtime/clock.ts';

type SignInStep =
  | { readonly step: 'accept'; readonly signedIn: PlatformSession }
  /** Redirect to the platform's sign-in page. */
  | { readonly step: 'send'; readonly hint: SignInHint }
  /** The browser came back from the sign-in page with an authentication older than the application accepts. */
  | { readonly step: 'stale'; readonly hint: SignInHint };

/** What a login prompt needs next. A platform that reports no `authTime` is trusted when it sends the browser back. */
export function signInStep(interaction: Interaction, signedIn: PlatformSession | undefined): SignInStep {
  const sent = wasSent(interaction);
  const notBefore = notBeforeOf(interaction, sent);
  const loginHint = interaction.params['login_hint'];
  const hint: SignInHint = {
    fresh: notBefore !== undefined,
    ...(typeof loginHint === 'string' && { loginHint }),
  };
  if (!signedIn) return { step: 'send', hint };
  if (notBefore === undefined) return { step: 'accept', signedIn };
  if (isFresh(signedIn.authTime, notBefore, sent)) return { step: 'accept', signedIn };
  return { step: sent ? 'stale' : 'send', hint };
}

/** Marks that the browser was sent to the sign-in page. */
export const sentToSignIn = { sentToSignIn: true } as const;

/** An authentication in the same second as the request counts only after the browser was sent to sign in. */
function isFresh(authTime: number | undefined, notBefore: number, sent: boolean): boolean {
  if (authTime === undefined) return sent;
  return authTime > notBefore || (sent && authTime === notBefore);
}

function wasSent(interaction: Interaction): boolean {
  return interaction.result?.['sentToSignIn'] === true;
}

/** The earliest acceptable authentication; `undefined` when any is acceptable. OIDC Core section 3.1.2.1. */
function notBeforeOf({ prompt, params, iat }: Interaction, sent: boolean): number | undefined {
  if (prompt.reasons.includes('login_prompt') || prompt.reasons.includes('id_token_hint')) return iat;
  if (!prompt.reasons.includes('max_age')) return undefined;
  // Even with `max_age=0` an authentication for this request is acceptable.
  const oldest = epochSeconds() - Number(params['max_age']);
  return sent ? Math.min(iat, oldest) : oldest;
}
