import { statusNote } from '../kit/marks.ts';
import type { ListPage } from '../../core/clients/client-lists.ts';
import { programAccesses } from '../../core/clients/school-decision.ts';
import type { ListedProgram, ProgramRule, ProgramTarget } from '../../core/decisions/program-rule.ts';
import { type SchoolRoles, unknownRoles } from '../../core/decisions/school-roles.ts';
import type { TextKey } from '../../i18n/texts.ts';
import { field, type Form } from '../../http/body.ts';
import { identityScopes, splitScope } from '../../core/scopes/scopes.ts';
import { programsPath, targetPath } from '../kit/console.ts';
import { html, type Html, isolated, shortName, type Translator } from '../kit/markup.ts';
import {
  type FormFields,
  hiddenFields,
  memberPage,
  type MemberPageContext,
  statusMessage,
} from '../kit/member-page.ts';
import { listHead, type Listing, listPages } from '../kit/lists.ts';
import type { PageBuilder } from '../kit/pages.ts';
import { choosable, permissionRows, scopeList } from '../kit/permissions.ts';

export function targetOf({ clientId, program = '' }: ListedProgram): ProgramTarget {
  return clientId === undefined ? { program } : { clientId };
}

/** All programs and clients that a rule can be for. */
export function rulesPage(context: MemberPageContext, listing: Listing, list: ListPage<ListedProgram>): PageBuilder {
  const { path, site } = context;
  return memberPage(context, {
    title: 'rule.list',
    values: { school: site.name },
    wide: true,
    body: (t) => html`
<p>${t.html('rule.list.intro', { school: site.name })}</p>
${listHead(t, listing, list)}
<ul class="cards">${list.map(
      (each) => html`<li>
<h2><a href="${targetPath(path, targetOf(each))}">${isolated(shortName(each.clientName))}</a>${statusNote(t, each.status)}</h2>
<p class="soft">${t.html('school.people')}: ${t.html('school.people.count', { count: each.people })}</p>
</li>`,
    )}</ul>
${listPages(t, listing, list)}`,
  });
}

interface ProgramView {
  readonly listed: ListedProgram;
  readonly roles: SchoolRoles;
  readonly done: TextKey | undefined;
}

export function programPage(context: MemberPageContext, { listed, roles, done }: ProgramView): PageBuilder {
  return memberPage(context, {
    title: 'school.client.title',
    values: { client: shortName(listed.clientName), school: context.site.name },
    wide: true,
    body: (t) => html`
${statusMessage(t, done)}
<p><a href="${programsPath(context.path)}">${t.html('rule.list', { school: context.site.name })}</a></p>
${ruleSection(t, context, listed, roles)}`,
  });
}

/** Only what is true now: visitors can change an address. */
export function ruleDone(done: unknown, { own }: ListedProgram): TextKey | undefined {
  if (done === 'rule' && own) return 'rule.done';
  return done === 'norule' && !own ? 'rule.done.none' : undefined;
}

const accesses = ['default', ...programAccesses] as const;

/** The rule in force, and the form for the school's own. */
export function ruleSection(
  t: Translator,
  context: MemberPageContext,
  listed: ListedProgram,
  roles: SchoolRoles,
): Html {
  const { own, people, from } = listed;
  const target = targetOf(listed);
  const school = context.site.name;
  const operator = t.catalogue.all.filter((scope) => own?.scopes?.includes(scope) ?? true);
  const radio = (access: (typeof accesses)[number]): Html =>
    html`<label class="tick"><input type="radio" name="access" value="${access}"${(own?.access ?? 'default') === access && html` checked`}><span>${t.html(`rule.access.${access}`)}</span></label>`;
  return html`<section aria-labelledby="rule"><h2 id="rule">${t.html('rule.title', { school })}</h2>
${inForce(t, listed, roles, school)}
${from === 'platform' && html`<p class="notice">${t.html('rule.platform')}</p>`}
<p>${t.html('school.people')}: ${t.html('school.people.count', { count: people })}</p>
<form method="post" action="${targetPath(context.path, target)}">
${hiddenFields(context, { action: 'rule', ...('program' in target ? { program: target.program } : { client: target.clientId }) })}
<fieldset><legend class="label">${t.html('rule.access')}</legend>${accesses.map(radio)}</fieldset>
${roleFields(t, roles, own?.roles ?? [])}
<label class="tick"><input type="checkbox" name="limited" value="yes"${own?.scopes && html` checked`}><span>${t.html('rule.scopes')}</span></label>
<details${own?.scopes && html` open`}><summary>${t.html('school.permissions')}</summary>
${permissionRows(t, t.catalogue.all, { ticked: (scope) => operator.includes(scope) })}</details>
<p><button class="primary small" type="submit">${t.html('rule.save')}</button></p>
</form></section>`;
}

/** None ticked: everyone. A role that the school no longer has stays until somebody removes it. */
function roleFields(t: Translator, known: SchoolRoles, own: readonly string[]): Html | false {
  const { roles, isComplete } = known;
  const others = own.filter((each) => !roles.some(({ role }) => role === each));
  const all = [...roles.map(({ role }) => role), ...others];
  if (isComplete && all.length === 0) return false;
  const gone = unknownRoles(known, own);
  const box = (role: string): Html =>
    html`<label class="tick"><input type="checkbox" name="role" value="${role}"${own.includes(role) && html` checked`}><span>${isolated(roleName(known, role))}${gone.includes(role) && html` <span class="badge warn">${t.html('rule.role.gone')}</span>`}</span></label>`;
  const other = html`<div class="field"><label for="roles">${t.html('rule.roles.other')}</label>
<span class="hint" id="other-roles-hint">${t.html('rule.roles.other.hint')}</span>
<input type="text" id="roles" name="roles" aria-describedby="other-roles-hint" autocomplete="off"></div>`;
  return html`<fieldset aria-describedby="roles-hint"><legend class="label">${t.html('rule.roles')}</legend>
<span class="hint" id="roles-hint">${t.html('rule.roles.hint')}</span>
${all.map(box)}
${!isComplete && other}</fieldset>`;
}

/** For people. Where two roles have one name, it has what the platform calls them. */
function roleName({ roles }: SchoolRoles, role: string): string {
  const name = roles.find((each) => each.role === role)?.name ?? role;
  const isShared = roles.filter((each) => each.name === name).length > 1;
  return isShared ? `${shortName(name)} (${role})` : shortName(name);
}

function inForce(t: Translator, listed: ListedProgram, known: SchoolRoles, school: string): Html {
  const { rule, program, clientId, own } = listed;
  const { access, roles, scopes } = rule;
  const ofProgram = !own && program !== undefined && clientId !== undefined;
  const gone = unknownRoles(known, roles ?? []).map(shortName);
  return html`<p>${t.html(`rule.now.${access}`)}${ofProgram && html` ${t.html('rule.program')}`}</p>
${roles && html`<p>${t.html('rule.now.roles', { roles: roles.map((role) => roleName(known, role)).join(', ') })}</p>`}
${gone.length > 0 && html`<p class="notice">${t.html('rule.now.gone', { school, roles: gone.join(', ') })}</p>`}
${scopes && html`<p>${t.html('rule.now.scopes')}</p>${scopeList(t, scopes)}`}`;
}

/** What the form says; `undefined` for no rule. The identity scopes, which it does not show, stay as they are. */
export function ruleIn(form: Form, own: ProgramRule | undefined): ProgramRule | undefined {
  const access = accesses.find((each) => each === field(form, 'access')) ?? 'default';
  if (access === 'default') return undefined;
  const typed = (field(form, 'roles') ?? '').split(',').map((role) => role.trim());
  const named = [...new Set([...[form['role'] ?? []].flat(), ...typed].filter(Boolean))];
  const ticked = [...[form['scope'] ?? []].flat(), ...splitScope(field(form, 'scopes'))];
  const identity = identityScopes.filter((scope) => own?.scopes?.includes(scope) ?? true);
  const limited = field(form, 'limited') === 'yes' && { scopes: [...new Set([...identity, ...choosable(ticked)])] };
  return { access, ...(named.length > 0 && { roles: named }), ...limited };
}

/** The same form once more, for a confirmation. */
export function ruleFields(target: ProgramTarget, rule: ProgramRule | undefined): FormFields {
  const { access = 'default', roles = [], scopes } = rule ?? {};
  return {
    ...('program' in target ? { program: target.program } : { client: target.clientId }),
    access,
    role: roles,
    ...(scopes && { limited: 'yes', scopes: scopes.join(' ') }),
    confirmed: 'yes',
  };
}
