import type { Site } from '../host/school-platform.ts';
import { currentOrigin } from '../host/origins.ts';
import { requestOrigin } from './origin.ts';
import type { ReceivedRequest } from './received-request.ts';

/** The origin of a school at which a request has reached it: the current one, or one of before. */
export function addressedOrigin(request: ReceivedRequest, site: Site): string {
  const origin = site.formerOrigins?.length ? requestOrigin(request) : undefined;
  return origin !== undefined && currentOrigin(site, origin) === site.origin ? origin : site.origin;
}
