import { ruledId, wayOf, type WayIn } from '../core/access/app.ts';
import { accessPolicies } from '../core/access/ask-policies.ts';
import type { AccessOptions } from '../core/access/rule-finders.ts';
import { clientsByApp, type KnownClients, appRows, secretsOf } from '../core/clients/client-finder.ts';
import { clientMetadata } from '../core/clients/client-metadata.ts';
import { added } from '../kernel/added.ts';
import { withAll } from '../kernel/merged.ts';
import type { Faults } from '../observe/audit.ts';
import type { FeaturePolicies, OptionFeature, Settings } from './options.ts';

/** The policies of the host: what they return is checked, and their failures are reported as faults. */
export interface Policies extends FeaturePolicies, AccessOptions {
  /** Whether a text is the secret of a client or resource server in code. */
  readonly isSecret: (text: string) => boolean;
}

export function createPolicies(settings: Settings, features: readonly OptionFeature[], { onFault }: Faults): Policies {
  const { access, clients, resourceServers, catalogue } = settings;
  const ofFeatures = added<FeaturePolicies>(features.map(({ policies }) => policies?.(settings, onFault)));
  const known = withAll<KnownClients>(
    {},
    features.map(({ knownClients }) => knownClients?.(ofFeatures, catalogue)),
  );
  const rowOf = appRows(known, clients);
  const inCode = clients.map((client) => wayOf(clientMetadata(settings.enabled.known, client)));
  // The row of a vendor with one client for all is a client in code.
  const others = features
    .flatMap(({ waysIn }) => waysIn?.(ofFeatures) ?? [])
    .filter((way) => !inCode.some(({ identity: own }) => own.source === way.source && ruledId(own) === ruledId(way)))
    // Specification: Registration rules 4.
    .map((identity): WayIn => ({ identity, audience: 'operator' }));
  const ways = Map.groupBy([...inCode, ...others], ({ identity }) => ruledId(identity));
  return {
    ...ofFeatures,
    isSecret: secretsOf([...clients, ...resourceServers]),
    access: accessPolicies(access, catalogue, onFault),
    rowOf,
    appIdOf: (clientId) => rowOf(clientId)?.id,
    apps: new Set(
      [...inCode.map(({ identity }) => ruledId(identity)), ...others.map(({ identity }) => identity.id)].flatMap(
        (id) => id ?? [],
      ),
    ),
    waysOf: (app) => ways.get(app) ?? [],
    clientsInCode: clientsByApp(clients),
    reviewedInCode: async (clientId, digest) => (await known.reviewed?.(clientId, digest)) === true,
  };
}
