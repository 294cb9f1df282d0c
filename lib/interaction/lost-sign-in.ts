import type { Context } from 'koa';
import type { OnFault } from '../runtime/events.ts';

/** Looks at a browser in which no one is signed in, and which was sent to the sign-in page so many times for this request. */
export type LostSignInCheck = (ctx: Context, visits: number) => void;

const elsewhere =
  'the browser came from another site, for example from an identity provider, and then sends no cookie with SameSite=Strict; set SameSite=Lax for the session cookie of the platform';

const here =
  'the session cookie of the platform must reach this path (Path, Domain, Secure and SameSite of the cookie), and platform.signedInMember must read it';

/**
 * Reports, once, that browsers come back from the sign-in page and no one is signed in, twice in a row for one request: people
 * then go round in a circle. `Sec-Fetch-Site` tells which cookies the browser has sent. Changes no response.
 */
export function createLostSignInCheck(onFault: OnFault): LostSignInCheck {
  let reported = false;
  return (ctx, visits) => {
    if (reported || visits < 2) return;
    reported = true;
    onFault(
      'a browser came back from the sign-in page twice, and platform.signedInMember found no one signed in',
      new Error(ctx.get('Sec-Fetch-Site') === 'cross-site' ? elsewhere : here),
    );
  };
}
