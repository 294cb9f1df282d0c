import type { Interaction } from 'oidc-provider';
import type { PlatformSession, SignInHint } from '../contracts/platform.ts';
import { epochSeconds } from '../runtime/clock.ts';

/** What to do with a browser whose sign-in is wanted. */
export type SignInStep =
  | { readonly step: 'accept'; readonly signedIn: PlatformSession }
  /** To the platform's sign-in page. */
  | { readonly step: 'send'; readonly hint: SignInHint }
  /** The platform sent back somebody whose proof of identity is older than the application wants. */
  | { readonly step: 'stale'; readonly hint: SignInHint };

/** Decides what a sign-in prompt needs. A platform that reports no `authTime` is believed when it sends the browser back. */
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

/** A proof from the very second of the request counts only for somebody who was sent to give it. */
function isFresh(authTime: number | undefined, notBefore: number, sent: boolean): boolean {
  if (authTime === undefined) return sent;
  return authTime > notBefore || (sent && authTime === notBefore);
}

function wasSent(interaction: Interaction): boolean {
  return interaction.result?.['sentToSignIn'] === true;
}

/** Since when the proof of identity must be; `undefined` when any will do. OIDC Core section 3.1.2.1. */
function notBeforeOf({ prompt, params, iat }: Interaction, sent: boolean): number | undefined {
  if (prompt.reasons.includes('login_prompt') || prompt.reasons.includes('id_token_hint')) return iat;
  if (!prompt.reasons.includes('max_age')) return undefined;
  // However small it is, a proof that was given for this request will do.
  const oldest = epochSeconds() - Number(params['max_age']);
  return sent ? Math.min(iat, oldest) : oldest;
}
