import { stringify } from 'node:querystring';
import type { RouteCall } from '../http/route.ts';
import { readForm } from '../http/body.ts';
import { noStore } from '../http/send.ts';
import type { AuthorizationParameters } from './parameter-limits.ts';
import { paths } from '../http/paths.ts';
import { checkQuerySize } from './parameter-checks.ts';

/** Parameters that the engine refuses, beside those that are stored. It ignores all others. */
const refused = ['request', 'request_uri', 'registration'];

/**
 * An authorization request in a form goes on as the same request by `GET`. A form from another site comes without the cookies that are
 * `SameSite=Lax`, so nobody would be signed in; and a forged form gains nothing, since nothing is stored or decided here. What is no
 * parameter stays out of the address: a client may have posted its secret. OIDC Core section 3.1.2.1.
 */
export async function continueByGet({ ctx, site }: RouteCall, parameters: AuthorizationParameters): Promise<void> {
  const isParameter = (name: string): boolean => parameters.has(name) || refused.includes(name);
  const form = await readForm(ctx);
  const posted = stringify(Object.fromEntries(Object.entries(form).filter(([name]) => isParameter(name))));
  // RFC 6749 section 3.1: the address of the endpoint can have a query. What is in both is repeated, and the engine refuses it.
  const query = [ctx.querystring, posted].filter(Boolean).join('&');
  checkQuerySize(query);
  noStore(ctx);
  ctx.set('Referrer-Policy', 'no-referrer');
  ctx.status = 303;
  ctx.redirect(`${site.origin}${paths.authorize}?${query}`);
}
