import type { Service, Site } from '../../host/school-platform.ts';
import type { ClientMetadata } from '../../records/codec.ts';
import { type Allowance, type Allowed, clientUse, refused } from './allowance.ts';
import { marksOf } from '../clients/client-keys.ts';
import type { HostPlatform } from '../../host/checked-platform.ts';

/** What a service may get at a school, with what the platform says of it. */
export type AllowedService =
  | (Allowed & { readonly service: Service; readonly refusal?: undefined })
  | (ReturnType<typeof refused> & { readonly service?: undefined });

/**
 * What a service may get at a school now. A service has no grant that could end, so everything is looked up at each use of a token:
 * what takes something away works at once. `secret` is the mark of the secret or key with which the token was requested.
 */
export type ServiceAllowance = (
  site: Site,
  client: ClientMetadata | undefined,
  secret: string | undefined,
) => Promise<AllowedService>;

export function serviceAllowance(platform: HostPlatform, allowance: Allowance): ServiceAllowance {
  return async (site, client, secret) => {
    const use = clientUse(client);
    if (!client || use?.audience !== 'service') return refused('client_not_permitted');
    if (client.campus_source === 'application' && !site.connectionsEnabled) return refused('client_not_permitted');
    if (secret !== undefined && !marksOf(client).includes(secret)) return refused('secret_ended');
    const service = await platform.findService(site, use.clientId);
    if (!service) return refused('no_access');
    const { refusal, refusedBy, roles, missing, ...allowed } = await allowance({
      ...use,
      site,
      member: undefined,
      service,
    });
    return refusal ? refused(refusal, { refusedBy, roles, missing }) : { ...allowed, roles, service };
  };
}
