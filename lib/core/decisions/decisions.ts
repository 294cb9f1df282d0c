import type { Host } from '../../host/host.ts';
import type { Records } from '../../records/records.ts';
import type { ClientSource } from '../clients/client-source.ts';
import type { StaticClient } from '../clients/client.ts';
import type { ScopeCatalogue } from '../scopes/scopes.ts';
import { type AccessRegister, accessRule } from './access-rule.ts';
import { type Allowance, type ApprovedScopes, clientAllowance, type RuleFinder, ruleFinder } from './allowance.ts';
import { type ProgramRuleFinders, schoolRules } from './program-rules.ts';
import { type ServiceAllowance, serviceAllowance } from './service-allowance.ts';

interface RuleSources {
  readonly policies: Omit<ProgramRuleFinders, 'schoolRule'>;
  readonly records: Records;
}

export function createRules({ policies, records }: RuleSources): ProgramRuleFinders {
  const { platformRule, programIdOf } = policies;
  return { schoolRule: schoolRules(records.store), platformRule, programIdOf };
}

/** Who may connect what, and who decides. */
export interface Decisions {
  /** What a client may get, for a person. */
  readonly allowance: Allowance;
  /** What a service may get. */
  readonly serviceAllowance: ServiceAllowance;
  readonly ruleOf: RuleFinder;
  /** Who may use a client, and who decides for the school. */
  readonly access: AccessRegister;
}

interface DecisionSettings {
  readonly clients: readonly StaticClient[];
  readonly operatorRoles: ReadonlySet<string>;
  readonly adminRoles: ReadonlySet<string>;
  readonly catalogue: ScopeCatalogue;
}

interface DecisionSources {
  readonly host: Host;
  readonly rules: ProgramRuleFinders;
  readonly source: Pick<ClientSource, 'scopes'>;
  readonly reviews: { readonly approvedScopes: ApprovedScopes };
}

export function createDecisions(
  { clients, operatorRoles, adminRoles, catalogue }: DecisionSettings,
  { host, rules, source, reviews }: DecisionSources,
): Decisions {
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
  return {
    allowance,
    serviceAllowance: serviceAllowance(host.platform, allowance),
    ruleOf,
    access: accessRule({ operatorRoles, adminRoles }),
  };
}
