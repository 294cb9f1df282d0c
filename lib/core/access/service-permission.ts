import type { HostPlatform } from '../../host/checked-platform.ts';
import type { Service, Site } from '../../host/school-platform.ts';
import type { ClientMetadata } from '../../records/codec.ts';
import { marksOf } from '../clients/client-keys.ts';
import type { Permit } from './look-ups.ts';
import type { Permission } from './permission.ts';
import type { Refusal } from './who-can-change.ts';
import { refusedOutright } from './steps.ts';
import type { Moment } from './policy.ts';
import { clientUse } from './used-client.ts';

export interface ServiceQuestion {
  readonly site: Site;
  readonly client: ClientMetadata | undefined;
  readonly scopes: readonly string[];
  readonly at: Exclude<Moment, 'refresh'>;
  /** The mark of the secret or key with which the token was requested. @default the service has authenticated now */
  readonly secret?: string | undefined;
}

/** What a service may get, with what the platform says of it. */
export interface ServicePermission {
  readonly permission: Permission;
  /** @default it has no access */
  readonly service?: Service | undefined;
}

/**
 * What a service may get at a school now. A service has no grant that could end, so everything is looked up at each use of a token:
 * what takes something away works at once.
 */
export type PermitService = (question: ServiceQuestion) => Promise<ServicePermission>;

const refused = (refusal: Refusal): ServicePermission => ({ permission: refusedOutright(refusal) });

export function createPermitService(platform: HostPlatform, permit: Permit): PermitService {
  return async ({ site, client, scopes, at, secret }) => {
    const use = clientUse(client);
    if (!client || use?.audience !== 'service') return refused('client_not_permitted');
    if (client.campus_source === 'application' && !site.connectionsEnabled) return refused('client_not_permitted');
    if (secret !== undefined && !marksOf(client).includes(secret)) return refused('secret_ended');
    const service = await platform.findService(site, use.clientId);
    if (!service) return refused('no_access');
    return { service, permission: await permit({ site, client: use, member: undefined, service, scopes, at }) };
  };
}
