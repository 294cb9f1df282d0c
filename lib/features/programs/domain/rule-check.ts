import type { ProgramTarget } from '../../../core/decisions/program-rule.ts';
import type { ProgramRule } from '../../../core/clients/client-status.ts';
import { ruleId, ruleOf } from '../../../core/decisions/program-rules.ts';
import { noSuchRole, type SchoolRolesFinder, wrongRole } from '../../../core/decisions/school-roles.ts';
import type { ScopeCatalogue } from '../../../core/scopes/scopes.ts';
import type { Site } from '../../../host/school-platform.ts';
import { InvalidRequest } from '../../../kernel/errors.ts';
import type { RecordStore } from '../../../records/record-store.ts';

/** @throws InvalidRequest for a scope or a role that does not exist; a role of the rule before stays valid */
export type RuleCheck = (site: Site, target: ProgramTarget, rule: ProgramRule) => Promise<void>;

interface RuleCheckOptions {
  readonly store: Pick<RecordStore, 'find'>;
  readonly catalogue: Pick<ScopeCatalogue, 'has'>;
  readonly rolesOf: SchoolRolesFinder;
}

export function ruleCheck({ store, catalogue, rolesOf }: RuleCheckOptions): RuleCheck {
  return async (site, target, rule) => {
    const unknown = rule.scopes?.find((scope) => !catalogue.has(scope));
    if (unknown !== undefined) throw new InvalidRequest(`${unknown} is not a scope here; campus.scopes lists them`);
    if (!rule.roles) return;
    const [known, before] = await Promise.all([rolesOf(site), store.find(site.id, 'ProgramRule', ruleId(target))]);
    const wrong = wrongRole(known, rule, before && ruleOf(before.record));
    if (wrong !== undefined) throw noSuchRole(known, wrong, site);
  };
}
