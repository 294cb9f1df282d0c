import type { LimitChoices } from '../../../core/boundaries/limit-choices.ts';
import type { AppTarget } from '../../../core/access/app-rule.ts';
import type { AppRule } from '../../../core/access/rule.ts';
import { ruleId, ruleOf } from '../../../core/access/school-rules.ts';
import { noSuchRole, schoolRoles, type SchoolRolesFinder, wrongRole } from '../../../core/access/school-roles.ts';
import type { ScopeCatalogue } from '../../../core/scopes/scopes.ts';
import type { HostPlatform } from '../../../host/checked-platform.ts';
import type { Site } from '../../../host/school-platform.ts';
import { InvalidRequest } from '../../../kernel/errors.ts';
import type { RecordStore } from '../../../records/record-store.ts';
import type { Records } from '../../../records/records.ts';

/** @throws InvalidRequest for a scope, a role or a type of boundary that does not exist; a role and a type of the rule before stay valid */
export type RuleCheck = (site: Site, target: AppTarget, rule: AppRule) => Promise<void>;

interface RuleCheckOptions {
  readonly store: RecordStore;
  readonly catalogue: ScopeCatalogue;
  readonly rolesOf: SchoolRolesFinder;
  readonly choices: LimitChoices;
}

/** What a decision of a school may name. */
export interface RuleChecks {
  readonly schoolRoles: SchoolRolesFinder;
  readonly checkRule: RuleCheck;
}

interface RuleCheckSettings {
  readonly catalogue: ScopeCatalogue;
  readonly operatorRoles: ReadonlySet<string>;
  readonly adminRoles: ReadonlySet<string>;
}

interface RuleCheckSources {
  readonly host: { readonly platform: HostPlatform };
  readonly records: Records;
  readonly choices: LimitChoices;
}

export function createRuleChecks(
  { catalogue, operatorRoles, adminRoles }: RuleCheckSettings,
  { host, records: { store }, choices }: RuleCheckSources,
): RuleChecks {
  const rolesOf = schoolRoles(host.platform, [...operatorRoles, ...adminRoles]);
  return { schoolRoles: rolesOf, checkRule: ruleCheck({ store, catalogue, rolesOf, choices }) };
}

function ruleCheck({ store, catalogue, rolesOf, choices }: RuleCheckOptions): RuleCheck {
  return async (site, target, rule) => {
    const unknown = rule.scopes?.find((scope) => !catalogue.has(scope));
    if (unknown !== undefined) throw new InvalidRequest(`scopes must be among campus.scopes, not ${unknown}`);
    const { roles, limited } = rule;
    if (!roles && !limited) return;
    const found = await store.find(site.id, 'AppRule', ruleId(target));
    const before = found && ruleOf(found.record);
    if (roles) {
      const known = await rolesOf(site);
      const wrong = wrongRole(known, rule, before);
      if (wrong !== undefined) throw noSuchRole(known, wrong, site);
    }
    for (const type of limited ?? []) if (!before?.limited?.includes(type)) checkLimit(choices, type);
  };
}

function checkLimit({ declared }: LimitChoices, type: string): void {
  if (declared.some((each) => each.type === type)) return;
  const types = declared.map((each) => each.type).join(', ') || 'empty';
  throw new InvalidRequest(`limited must have types of the option boundaries (${types}), not ${JSON.stringify(type)}`);
}
