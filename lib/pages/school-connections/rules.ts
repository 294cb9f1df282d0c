import { isStricter, noRule } from '../../core/decisions/program-rules.ts';
import { type SchoolRolesFinder, wrongRole } from '../../core/decisions/school-roles.ts';
import type { ListedProgram, Programs } from '../../core/decisions/program-rule.ts';
import { field, type Form } from '../../http/body.ts';
import { isProgramId } from '../../core/known-programs/known-programs.ts';
import { messagePage } from '../kit/error-page.ts';
import { confirmPage, type MemberPageContext } from '../kit/member-page.ts';
import type { MemberPageRequest, PageResult } from '../kit/page-access.ts';
import type { PageBuilder } from '../kit/pages.ts';
import { listingIn } from '../kit/lists.ts';
import { programsPath, targetPath } from '../kit/console.ts';
import { shortName } from '../kit/markup.ts';
import { programsFile } from './downloads.ts';
import { ruleFields, ruleIn, rulesPage, targetOf } from './rule-pages.ts';

export interface RuleOptions {
  readonly programs: Programs;
  readonly schoolRoles: SchoolRolesFinder;
}

type RulePageRequest = RuleOptions & Pick<MemberPageRequest, 'call' | 'context'>;

export async function showRules({ programs, context, call }: RulePageRequest): Promise<PageResult> {
  const { query } = call.ctx;
  const offer = { path: programsPath(context.path), menus: ['status', 'sort'], order: 'list.sort.ruled' } as const;
  const listing = listingIn(query, offer);
  const isFile = query['format'] === 'csv';
  const list = await programs.list(context.site, { ...listing.query, ...(isFile && { size: undefined }) });
  return isFile ? programsFile(list) : rulesPage(context, listing, list);
}

/** Anyone can type an address, so an unknown program without a rule is not found. */
export async function findProgram(
  { programs, context }: RulePageRequest,
  id: string,
): Promise<ListedProgram | undefined> {
  const listed = await programs.find(context.site, { program: id });
  return isProgramId(id) || listed.own || listed.people > 0 ? listed : undefined;
}

/** The school has lost the role since the form was shown. */
function noSuchRolePage({ site }: MemberPageContext, href: string, role: string): PageBuilder {
  const values = { role: shortName(role), school: site.name };
  const action = { text: 'rule.role.again', href } as const;
  return messagePage({ title: 'rule.role.title', texts: ['rule.role'], values, status: 400, action });
}

/** Sets or removes a rule, after a confirmation where people lose something. */
export async function actOnRule(request: RulePageRequest, form: Form, listed: ListedProgram): Promise<PageResult> {
  const { programs, schoolRoles, context } = request;
  const { site, path } = context;
  const { own, people, program, clientId, clientName } = listed;
  const target = targetOf(listed);
  const rule = ruleIn(form, own);
  const wrong = rule?.roles && wrongRole(await schoolRoles(site), rule, own);
  if (wrong !== undefined) return noSuchRolePage(context, targetPath(path, target), wrong);
  const isOfProgram = clientId !== undefined && program !== undefined;
  const after = rule ?? (isOfProgram ? (await programs.find(site, { program })).own : undefined) ?? noRule;
  if (people > 0 && isStricter(after, own ?? noRule) && field(form, 'confirmed') !== 'yes') {
    const values = { client: shortName(clientName), count: people };
    const fields = ruleFields(target, rule);
    const page = targetPath(path, target);
    return confirmPage(context, 'rule.confirm', { values, button: 'rule.save', action: 'rule', fields, page });
  }
  await (rule ? programs.set(site, target, rule, { by: context.member.id }) : programs.reset(site, target));
  return `${targetPath(path, target)}&done=${rule ? 'rule' : 'norule'}`;
}
