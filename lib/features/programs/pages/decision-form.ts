import { type ProgramAccess, programAccesses, type ProgramRule } from '../../../core/clients/client-status.ts';
import type { ProgramTarget } from '../../../core/decisions/program-rule.ts';
import { takesAway } from '../../../core/decisions/program-rules.ts';
import { type SchoolRoles, unknownRoles } from '../../../core/decisions/school-roles.ts';
import { identityScopes, splitScope } from '../../../core/scopes/scopes.ts';
import { field, type Form } from '../../../http/body.ts';
import type { TextKey } from '../../../i18n/texts.ts';
import { targetPath } from '../../../pages/kit/console.ts';
import { html, type Html, isolated, shortName, type Translator } from '../../../pages/kit/markup.ts';
import { type FormFields, hiddenFields, type MemberPageContext } from '../../../pages/kit/member-page.ts';
import { choosable, permissionRows, scopeList } from '../../../pages/kit/permissions.ts';
import type { AllowedPeople, DecisionView } from './decision-view.ts';
import { targetOf } from './decision-view.ts';

/** `default`: the school decides nothing. */
export type Choice = ProgramAccess | 'default';

const choices: readonly Choice[] = [...programAccesses, 'default'];

/** In characters. */
export const maxReason = 1000;

/** What applies, who has decided it, and the form for another decision of the school. */
export function decisionSection(t: Translator, context: MemberPageContext, view: DecisionView): Html {
  const { listed, roles, people } = view;
  const target = targetOf(listed);
  const school = context.site.name;
  const before = ruleBefore(view);
  const { document } = view;
  const seen = document && {
    digest: document.digest,
    logo: document.logo?.digest ?? '',
    decided: `${document.decidedAt ?? ''}`,
  };
  return html`<section aria-labelledby="rule"><h2 id="rule">${t.html('rule.title', { school })}</h2>
${inForce(t, context, view)}
${listed.from === 'platform' && html`<p class="notice">${t.html('rule.platform')}</p>`}
${decidedLine(t, view)}
<form method="post" action="${targetPath(context.path, target)}">
${hiddenFields(context, { action: 'rule', ...targetFields(target), ...seen, ...(view.requestId !== undefined && { request: view.requestId }) })}
<fieldset><legend class="label">${t.html('rule.access', { school })}</legend>${choices.map((choice) => choiceRow(t, view, choice))}</fieldset>
${roleFields(t, roles, before.roles ?? [])}
<label class="tick"><input type="checkbox" name="limited" value="yes"${before.scopes && html` checked`}><span>${t.html('rule.scopes')}</span></label>
<details${before.scopes && html` open`}><summary>${t.html('school.permissions')}</summary>
${permissionRows(t, t.catalogue.all, { ticked: (scope) => before.scopes?.includes(scope) ?? true })}</details>
<div class="field"><label for="reason">${t.html('rule.reason')}</label>
<span class="hint" id="reason-hint">${t.html('rule.reason.hint')}</span>
<textarea id="reason" name="reason" rows="2" maxlength="${maxReason}" aria-describedby="reason-hint"></textarea></div>
<p><button class="primary small" type="submit">${t.html('rule.save')}</button></p>
</form></section>
${people.all.length > 0 && peopleSection(t, context, target, people)}`;
}

/** What the roles and permissions of the form start from. */
function ruleBefore({ listed, fallback }: DecisionView): ProgramRule {
  return listed.own ?? fallback;
}

function choiceRow(t: Translator, view: DecisionView, choice: Choice): Html {
  const { people } = view.listed;
  const isLoss = people > 0 && losesPeople(view, choice === 'default' ? undefined : withAccess(view, choice));
  const loses = t.html('rule.loses', { count: isLoss ? people : 0 });
  return html`<label class="tick"><input type="radio" name="access" value="${choice}" required aria-describedby="effect-${choice}"${chosen(view) === choice && html` checked`}><span>${t.html(`rule.access.${choice}`)}</span></label>
<span class="hint" id="effect-${choice}">${t.html(effectOf(view, choice))}${people > 0 && html` ${isLoss ? html`<strong>${loses}</strong>` : loses}`}</span>`;
}

function withAccess(view: DecisionView, access: ProgramAccess): ProgramRule {
  return { ...ruleBefore(view), access };
}

function effectOf({ document, listed }: DecisionView, choice: Choice): TextKey {
  if (choice === 'allowed' && document) return 'rule.effect.allowed.version';
  if (choice === 'allowed' && listed.clientId === undefined) return 'rule.effect.allowed.program';
  if (choice === 'default' && listed.clientId !== undefined && listed.program !== undefined)
    return 'rule.effect.default.client';
  return `rule.effect.${choice}`;
}

/** Whether connections end with this decision. @param rule - `undefined` for none */
export function losesPeople({ listed, document, fallback }: DecisionView, rule: ProgramRule | undefined): boolean {
  const hasApproval = document?.status === 'approved' || document?.status === 'changed';
  const { clientId } = listed;
  return takesAway({ rule: listed.own ?? fallback, hasApproval }, { rule, fallback, clientId });
}

/**
 * What is ticked. Nothing while a version waits that the decision before does not cover: what was meant for another version is not
 * chosen for this one.
 */
function chosen({ listed: { own }, document, fallback }: DecisionView): Choice | undefined {
  const [status, access] = [document?.status, own?.access];
  if (status === undefined) return access ?? 'default';
  if (status === 'rejected') return 'blocked';
  if (status === 'approved') {
    const covering = access ?? fallback.access;
    if (covering === 'allowed' || covering === 'view_only') return 'allowed';
    return access;
  }
  if (access === undefined) return status === 'unreviewed' ? 'default' : undefined;
  return access === 'allowed' ? undefined : access;
}

function decidedLine(t: Translator, { decided }: DecisionView): Html | false {
  if (!decided) return false;
  const { name, at, reason } = decided;
  const date = t.date(at);
  const who =
    name === undefined ? t.html('rule.decided', { date }) : t.html('rule.decided.by', { name: shortName(name), date });
  return html`<p>${who}${reason !== undefined && html`<br>${t.html('pair', { name: t.html('rule.reason.given'), value: isolated(reason.replaceAll('\n', ' ')) })}`}</p>`;
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

function inForce(t: Translator, { path, site }: MemberPageContext, { listed, roles: known }: DecisionView): Html {
  const { rule, program, clientId, own, status } = listed;
  const { roles, scopes } = rule;
  const ofProgram = !own && program !== undefined && clientId !== undefined;
  const gone = unknownRoles(known, roles ?? []).map(shortName);
  return html`<p>${t.html(`rule.now.${status}`)}${ofProgram && html` <a href="${targetPath(path, { program })}">${t.html('rule.program')}</a>`}</p>
${roles && html`<p>${t.html('rule.now.roles', { roles: roles.map((role) => roleName(known, role)).join(', ') })}</p>`}
${gone.length > 0 && html`<p class="notice">${t.html('rule.now.gone', { school: site.name, roles: gone.join(', ') })}</p>`}
${scopes && html`<p>${t.html('rule.now.scopes')}</p>${scopeList(t, scopes)}`}`;
}

/** Those for whom the school has decided one by one, each with a button that takes it back. */
function peopleSection(
  t: Translator,
  context: MemberPageContext,
  target: ProgramTarget,
  { all, total }: AllowedPeople,
): Html {
  const path = targetPath(context.path, target);
  return html`<section aria-labelledby="people"><h2 id="people">${t.html('rule.people', { count: total })}</h2>
<p>${t.html('rule.people.text')}</p>
<ul class="cards">${all.map(({ memberId, name, at, by }, i) => {
    const fields = { action: 'reset-person', ...targetFields(target), member: memberId };
    const date = t.date(at);
    const who = name === undefined ? t.html('rule.people.gone') : isolated(shortName(name));
    const decided =
      by === undefined ? t.html('rule.decided', { date }) : t.html('rule.decided.by', { name: shortName(by), date });
    return html`<li><h3 id="person-${i}">${who}</h3>
<p class="soft">${decided}</p>
<form method="post" action="${path}">${hiddenFields(context, fields)}<p><button class="small" type="submit" aria-describedby="person-${i}">${t.html('rule.people.reset')}</button></p></form></li>`;
  })}</ul>
${total > all.length && html`<p class="soft">${t.html('rule.people.more', { count: total - all.length })}</p>`}</section>`;
}

export interface FormDecision {
  /** Absent if nothing was chosen. */
  readonly choice: Choice | undefined;
  /** The rule of the school; absent for no decision. */
  readonly rule: ProgramRule | undefined;
  readonly reason: string | undefined;
}

/** What the form says. The identity scopes, which it does not show, stay as they are. */
export function decisionIn(form: Form, view: DecisionView): FormDecision {
  const choice = choices.find((each) => each === field(form, 'access'));
  // A browser counts the end of a line as one character, and sends two.
  const reason = (field(form, 'reason') ?? '').replaceAll('\r\n', '\n').trim();
  const typed = (field(form, 'roles') ?? '').split(',').map((role) => role.trim());
  const roles = [...new Set([...[form['role'] ?? []].flat(), ...typed].filter(Boolean))];
  const ticked = [...[form['scope'] ?? []].flat(), ...splitScope(field(form, 'scopes'))];
  const { scopes: before } = ruleBefore(view);
  const identity = identityScopes.filter((scope) => before?.includes(scope) ?? true);
  const limited = field(form, 'limited') === 'yes' && { scopes: [...new Set([...identity, ...choosable(ticked)])] };
  const hasRule = choice !== undefined && choice !== 'default';
  return {
    choice,
    rule: hasRule ? { access: choice, ...(roles.length > 0 && { roles }), ...limited } : undefined,
    reason: reason === '' ? undefined : reason,
  };
}

/** The same form once more, for a confirmation: what was looked at stays what it was. */
export function decisionFields(target: ProgramTarget, { rule, reason = '' }: FormDecision, form: Form): FormFields {
  const { access = 'default', roles = [], scopes } = rule ?? {};
  const looked = (['digest', 'logo', 'decided', 'request'] as const).flatMap((name) => {
    const value = field(form, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...targetFields(target),
    ...Object.fromEntries(looked),
    access,
    role: roles,
    ...(scopes && { limited: 'yes', scopes: scopes.join(' ') }),
    reason,
    confirmed: 'yes',
  };
}

function targetFields(target: ProgramTarget): FormFields {
  return 'program' in target ? { program: target.program } : { client: target.clientId };
}
