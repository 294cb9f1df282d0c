import type { LimitChoices } from '../../../core/boundaries/limit-choices.ts';
import type { ClientFinder } from '../../../core/clients/client-finder.ts';
import type { Permit } from '../../../core/access/look-ups.ts';
import { clientUse } from '../../../core/access/used-client.ts';
import type { Member, Site } from '../../../host/school-platform.ts';

/** The types of boundary for which a rule demands that this person limits a client. */
export type DemandedLimits = (site: Site, member: Member, clientId: string) => Promise<readonly string[]>;

interface DemandOptions {
  /** Finds clients without a request to another server. */
  readonly clients: ClientFinder;
  readonly permit: Permit;
  readonly choices: LimitChoices;
}

/** Nothing is looked up in a campus without boundaries. */
export function demandedLimits({ clients, permit, choices }: DemandOptions): DemandedLimits {
  return async (site, member, clientId) => {
    const client = choices.declared.length > 0 ? clientUse(await clients(site.id, clientId, 'identify')) : undefined;
    const scopes = choices.declared.flatMap((boundary) => boundary.scopes);
    return (client && (await permit({ site, client, member, scopes, at: 'connect' })).rule.limited) ?? [];
  };
}
