import type { Host } from '../../host/host.ts';
import type { LimitManager } from '../limits/limit-manager.ts';
import type { Records } from '../../records/records.ts';
import type { Offered } from '../offered/offered.ts';
import type { ScopeCatalogue } from '../scopes/scopes.ts';
import { type AccessRegister, accessRule } from './access-rule.ts';
import {
  type Allowance,
  type ApprovedScopes,
  clientAllowance,
  type DocumentScopes,
  type RuleFinder,
  ruleFinder,
} from './allowance.ts';
import type { KeyFinder } from './client-keys.ts';
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

/** Clients that are metadata documents. */
interface DocumentClients {
  readonly find: ClientFinder | undefined;
  readonly findStored: ClientFinder;
  readonly keysAt: KeyFinder;
  readonly scopes: DocumentScopes | undefined;
  readonly approvedScopes: ApprovedScopes;
}

interface ClientSources {
  readonly host: Host;
  readonly records: Records;
  readonly rules: ProgramRuleFinders;
  readonly documents: DocumentClients;
  readonly limits: LimitManager;
}

export function createClients(
  { clients, operatorRoles, adminRoles, catalogue, offered }: ClientSettings,
  { host, records, rules, documents, limits }: ClientSources,
): Clients {
  const { schoolRule, platformRule, programIdOf } = rules;
  const ruleOf = ruleFinder(schoolRule, programIdOf);
  const allowance = clientAllowance({
    clients,
    catalogue,
    documentScopes: documents.scopes,
    approvedScopes: documents.approvedScopes,
    programIdOf,
    ruleOf,
    platformRule,
  });
  const finder = (findDocument: ClientFinder | undefined): ClientFinder =>
    clientFinder(clients, records.store, findDocument, { catalogue, offered });
  return {
    find: finder(documents.find),
    findStored: finder(documents.findStored),
    keysAt: documents.keysAt,
    allowance,
    serviceAllowance: serviceAllowance(host.platform, allowance),
    ruleOf,
    access: accessRule({ operatorRoles, adminRoles }),
    connected: connectedList({ store: records.store, lifetimes: limits.lifetimes }),
  };
}
