import { changeGrant } from '../../core/grants/changes.ts';
import type { BeforeRedemption } from '../../engine/routes.ts';
import { currentOrigin } from '../../host/origins.ts';
import { grantIdOf } from '../../records/codec.ts';

/** Notes where the school is now: a connection that is used since it moved does not depend on where it was. */
export const followMove: BeforeRedemption = async (options, site, { accountId, clientId, resource: before }) => {
  if (before === site.origin) return;
  await changeGrant(options, site, grantIdOf(accountId, clientId), ({ grant }) => {
    const resource = grant && currentOrigin(site, grant.resource);
    return grant && resource === site.origin && resource !== grant.resource ? { ...grant, resource } : undefined;
  });
};
