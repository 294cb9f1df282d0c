import { changeGrant } from '../../core/grants/changes.ts';
import type { BeforeRedemption } from '../../engine/routes.ts';
import { currentOrigin } from '../../host/origins.ts';
import { grantIdOf } from '../../records/codec.ts';
import { addressedOrigin } from '../../http/addressed-origin.ts';
import { koaRequest } from '../../http/received-request.ts';
import type { AnswerInstead } from '../../http/router.ts';
import { noStore } from '../../http/send.ts';
import { InvalidRequest } from '../../kernel/errors.ts';

/**
 * At a former origin, sends a browser, and what reads documents, to the same address at the current one. What apps call with a credential
 * is served there: they would lose it on the way. Returns whether the request was answered.
 *
 * @throws InvalidRequest with status 410 for a form that was open when the school moved
 */
export const redirectMoved: AnswerInstead = ({ kind, atFormerOrigins }, { ctx, site }, isBrowser) => {
  if (!site.formerOrigins?.length) return false;
  const isServed = atFormerOrigins === true || atFormerOrigins === ctx.method || (kind === 'api' && !isBrowser);
  if (isServed || addressedOrigin(koaRequest(ctx), site) === site.origin) return false;
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
    throw new InvalidRequest(`${site.name} has moved to ${site.origin}; start again there`, { status: 410 });
  }
  noStore(ctx);
  ctx.redirect(`${site.origin}${ctx.path}${ctx.search}`);
  // It is not remembered: a school can move back.
  ctx.status = 307;
  return true;
};

/** Notes where the school is now: a connection that is used since it moved does not depend on where it was. */
export const followMove: BeforeRedemption = async (options, site, { accountId, clientId, resource: before }) => {
  if (before === site.origin) return;
  await changeGrant(options, site, grantIdOf(accountId, clientId), ({ grant }) => {
    const resource = grant && currentOrigin(site, grant.resource);
    return grant && resource === site.origin && resource !== grant.resource ? { ...grant, resource } : undefined;
  });
};
