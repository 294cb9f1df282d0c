import type { Host } from '../../host/host.ts';
import type { LimitManager } from '../limits/limit-manager.ts';
import type { Records } from '../../records/records.ts';
import type { Offered } from '../offered/offered.ts';
import type { ScopeCatalogue } from '../scopes/scopes.ts';
import { type AccessRegister, accessRule } from './access-rule.ts';
import { type Allowance, type ApprovedScopes, clientAllowance, type RuleFinder, ruleFinder } from './allowance.ts';
import type { KeyFinder } from './client-keys.ts';
import type { ClientSource } from './client-source.ts';
import type { StaticClient } from './client.ts';
import { type ConnectedList, connectedList } from './connected-list.ts';
import { type ClientFinder, clientFinder } from './finder.ts';
import type { ProgramRuleFinders } from './program-rules.ts';
import { type ServiceAllowance, serviceAllowance } from './service-allowance.ts';

/** Which clients there are, and what each may get. */
export interface Clients {
  readonly find: ClientFinder;
  /** The same by what is stored: nothing is fetched. */
  readonly findStored: ClientFinder;
  readonly keysAt: KeyFinder;
  /** What a client may get, for a person. */
  readonly allowance: Allowance;
  /** What a service may get. */
  readonly serviceAllowance: ServiceAllowance;
  readonly ruleOf: RuleFinder;
  /** Who may use a client, and who decides for the school. */
  readonly access: AccessRegister;
  /** Those that people have connected, for pages. */
  readonly connected: ConnectedList;
}

interface ClientSettings {
  readonly clients: readonly StaticClient[];
  readonly operatorRoles: ReadonlySet<string>;
  readonly adminRoles: ReadonlySet<string>;
  readonly catalogue: ScopeCatalogue;
  readonly offered: Offered;
}

interface ClientParts {
  readonly host: Host;
  readonly records: Records;
  readonly rules: ProgramRuleFinders;
  readonly source: ClientSource;
  readonly reviews: { readonly approvedScopes: ApprovedScopes };
  readonly outbound: { readonly keysAt: KeyFinder };
  readonly limits: LimitManager;
}

export function createClients(
  { clients, operatorRoles, adminRoles, catalogue, offered }: ClientSettings,
  { host, records, rules, source, reviews, outbound, limits }: ClientParts,
): Clients {
  const { schoolRule, platformRule, programIdOf } = rules;
  const ruleOf = ruleFinder(schoolRule, programIdOf);
  const allowance = clientAllowance({
    clients,
    catalogue,
    documentScopes: source.scopes,
    approvedScopes: reviews.approvedScopes,
    programIdOf,
    ruleOf,
    platformRule,
  });
  const finder = (findByUrl: ClientFinder | undefined): ClientFinder =>
    clientFinder(clients, records.store, findByUrl, { catalogue, offered });
  return {
    find: finder(source.find),
    findStored: finder(source.findStored),
    keysAt: outbound.keysAt,
    allowance,
    serviceAllowance: serviceAllowance(host.platform, allowance),
    ruleOf,
    access: accessRule({ operatorRoles, adminRoles }),
    connected: connectedList({ store: records.store, lifetimes: limits.lifetimes }),
  };
}
