import type { VersionState } from '../../../core/clients/client-status.ts';
import { type AppAccess, appAccesses, type AppRule } from '../../../core/access/rule.ts';
import { isMetadataDocumentId } from '../../../core/clients/client-id.ts';
import type { ListedApp } from '../../../core/apps/apps.ts';
import { refusesAll } from '../../../core/access/ended-by-rule.ts';
import type { ShownVersion } from '../../../core/access/app-review.ts';
import { type SchoolRoles, unknownRoles } from '../../../core/access/school-roles.ts';
import type { Scope } from '../../../core/scopes/scopes.ts';
import type { TextKey } from '../../../i18n/texts.ts';
import { demandFields } from '../../../pages/kit/limits.ts';
import { pseudonymFields } from '../../../pages/kit/pseudonym-choice.ts';
import { targetPath } from '../../../pages/kit/console.ts';
import { decisionMenu } from '../../../pages/kit/decision-menu.ts';
import { html, type Html, isolated, shortName, type Translator } from '../../../pages/kit/markup.ts';
import { type FormFields, hiddenFields, type MemberPageContext } from '../../../pages/kit/member-page.ts';
import { permissionRows } from '../../../pages/kit/permissions.ts';
import {
  type DecisionProblem,
  type DecisionView,
  losesPeople,
  ruleBefore,
  targetFields,
  targetOf,
} from './decision-view.ts';
import { maxJudged } from '../domain/judged-connections.ts';
import type { CountedPeople } from '../domain/rule-reach.ts';
import { type Choice, maxNote } from './entered-decision.ts';
import { roleName } from '../../../pages/kit/role-name.ts';

/** The form for a decision of the school, with the effect of each choice before it is saved. */
export function decisionForm(t: Translator, context: MemberPageContext, view: DecisionView): Html {
  const { listed, requestId, attempt } = view;
  const target = targetOf(listed);
  const path = targetPath(context.path, target);
  const before = startOf(view);
  const note = attempt?.note;
  const noteProblem = problemAt(t, context, view, 'note');
  const isOpen = before.limited !== undefined || before.pseudonym === true || note !== undefined;
  return html`<form class="flow" id="${formId}" method="post" action="${path}">
${hiddenFields(context, { action: 'rule', ...shownFields(listed, attempt?.version), ...(requestId !== undefined && { request: requestId }) })}
${decisionMenu(
  'access',
  t.html('apps.decision'),
  appAccesses.map((access) => choiceOf(t, view, access)),
  [askChoice(t, view)],
)}
${roleFields(t, view, before.roles, problemAt(t, context, view, 'roles'))}
<button class="primary" type="submit">${t.html('form.save')}</button>
<details${isOpen && html` open`}><summary>${t.html('rule.more')}</summary>
${view.canHide && pseudonymFields(t, before)}
${demandFields(t, view.boundaries, before.limited ?? [])}
<div class="field"><label for="note">${t.html('rule.note')}</label>
<span class="hint" id="note-hint">${t.html('rule.note.hint')}</span>
<textarea id="note" name="note" rows="2" maxlength="${maxNote}" aria-describedby="${noteProblem && 'note-problem '}note-hint"${noteProblem && html` aria-invalid="true"`}>${note}</textarea>${noteProblem}</div></details>
</form>
${view.decided && resetForm(t, context, view)}`;
}

/** What stands elsewhere on the page is in the same form. */
const formId = 'decision';

/** To which permissions the school limits it: a part of the form that needs more room than the form has. */
export function scopeLimits(t: Translator, view: DecisionView): Html {
  const { scopes } = startOf(view);
  const isLimited = scopes !== undefined;
  const ticked = (scope: Scope): boolean => scopes?.includes(scope) ?? true;
  return html`<details${isLimited && html` open`}><summary>${t.html('rule.limits')}</summary>
<label class="row"><input type="checkbox" name="limited" value="yes" form="${formId}"${isLimited && html` checked`}><span>${t.html('rule.scopes')}</span></label>
${permissionRows(t, t.catalogue.all, { ticked, form: formId })}</details>`;
}

/** Takes the decision back. */
function resetForm(t: Translator, context: MemberPageContext, view: DecisionView): Html {
  const target = targetOf(view.listed);
  const fields = { action: 'rule', ...shownFields(view.listed), access: 'default' };
  return html`<form method="post" action="${targetPath(context.path, target)}">${hiddenFields(context, fields)}
<p class="hint" id="effect-default">${t.html(effectOf(view, 'default'))} ${loss(t, view, undefined)}</p>
<button type="submit" aria-describedby="effect-default">${t.html('rule.reset')}</button></form>`;
}

/** What is wrong with what was entered there. */
function problemAt(
  t: Translator,
  { site }: MemberPageContext,
  { attempt }: DecisionView,
  at: DecisionProblem['field'],
): Html | false {
  const problem = attempt?.problem;
  if (problem?.field !== at) return false;
  const role = 'role' in problem ? shortName(problem.role) : '';
  return html`<b class="problem" id="${at}-problem" role="alert">${t.html(problem.text, { role, school: site.name, count: maxNote })}</b>`;
}

/** What the roles and permissions of the form start from. */
function startOf(view: DecisionView): AppRule {
  return view.attempt?.rule ?? ruleBefore(view);
}

function choiceOf(t: Translator, view: DecisionView, access: AppAccess) {
  return {
    value: access,
    text: t.html(`rule.access.${access}`),
    now: choiceInForce(view) === access && t.html('rule.now'),
    hint: t.html(effectOf(view, access)),
    effect: loss(t, view, withAccess(view, access)),
    isChosen: (view.attempt?.rule?.access ?? chosen(view)) === access,
  };
}

/** What only views may need an approval for each person as well. */
function askChoice(t: Translator, view: DecisionView) {
  const before = ruleBefore(view);
  return {
    value: 'ask',
    text: t.html('rule.access.ask'),
    now: view.listed.rule.ask === true && t.html('rule.now'),
    hint: t.html('rule.effect.ask'),
    effect: loss(t, view, { ...before, ask: true }),
    isChosen: startOf(view).ask === true,
  };
}

/** What is sure of those who are connected, before anybody is looked up. */
function loss(t: Translator, view: DecisionView, rule: AppRule | undefined): Html | false {
  const { people: count } = view.listed;
  if (count === 0 || !losesPeople(view, rule)) return false;
  const isSure = refusesAll(ruleBefore(view), rule ?? view.fallback);
  return html`<span class="warn">${isSure ? t.html('rule.loses', { count }) : t.html('rule.loses.some')}</span>`;
}

function withAccess(view: DecisionView, access: AppAccess): AppRule {
  return { ...ruleBefore(view), access };
}

function effectOf({ document, listed }: DecisionView, choice: Choice): TextKey {
  if (choice === 'allowed' && document) return 'rule.effect.allowed.version';
  if (choice === 'allowed' && listed.clientId === undefined) return 'rule.effect.allowed.app';
  if (choice === 'default' && listed.clientId !== undefined && listed.app !== undefined)
    return 'rule.effect.default.client';
  return `rule.effect.${choice}`;
}

/** What the rule and the decision on the version are together. */
function choiceInForce({ listed, document }: DecisionView): AppAccess {
  const { access } = listed.rule;
  const version = versionIn(listed, document);
  if (access === 'blocked') return access;
  if (version === 'waiting') return 'view_only';
  return version === 'approved' ? 'allowed' : access;
}

function versionIn({ clientId = '', status }: ListedApp, document: ShownVersion | undefined): VersionState {
  // Also by a review of the platform.
  if (status === 'allowed') return 'approved';
  if (document?.status === 'approved') return 'approved';
  return isMetadataDocumentId(clientId) ? 'waiting' : 'undecided';
}

/**
 * What is ticked: what applies now. Nothing while a version waits that is another than the one that was decided on: what was meant for
 * that one is not chosen for this one.
 */
function chosen(view: DecisionView): AppAccess | undefined {
  const access = choiceInForce(view);
  return view.document?.status === 'changed' && access === 'view_only' ? undefined : access;
}

/**
 * All ticked: everyone. While not all roles of a school are known, none ticked is everyone, and others can be entered. A role that the
 * school no longer has stays until somebody removes it.
 */
function roleFields(
  t: Translator,
  { roles: known, connected }: DecisionView,
  own: readonly string[] | undefined,
  problem: Html | false,
): Html | false {
  const { roles, isComplete } = known;
  const all = shownRoles(known, own);
  if (isComplete && all.length === 0) return false;
  const gone = unknownRoles(known, own ?? []);
  const isTicked = (role: string): boolean => own?.includes(role) ?? (isComplete && roles.length > 0);
  const box = (role: string): Html =>
    html`<label class="row"><input type="checkbox" name="role" value="${role}"${isTicked(role) && html` checked`}><span>${isolated(roleName(known, role))}${gone.includes(role) && html` <span class="badge warn">${t.html('rule.role.gone')}</span>`}</span> ${connectedWith(t, connected, role)}</label>`;
  const other = html`<div class="field"><label for="roles">${t.html('rule.roles.other')}</label>
<span class="hint" id="other-roles-hint">${t.html('rule.roles.other.hint')}</span>
<input type="text" id="roles" name="roles" aria-describedby="other-roles-hint" autocomplete="off"></div>`;
  const uncounted = typeof connected === 'string' && connected;
  const described = [problem && 'roles-problem', uncounted && 'roles-uncounted', !isComplete && 'roles-hint']
    .filter(Boolean)
    .join(' ');
  return html`<fieldset class="who"${described !== '' && html` aria-describedby="${described}"`}><legend>${t.html('rule.roles')}</legend>${problem}
${uncounted && html`<span class="hint" id="roles-uncounted">${t.html(`rule.roles.${uncounted}`, { count: maxJudged })}</span>`}
${isComplete ? all.map((role) => html`<input type="hidden" name="shown" value="${role}">`) : html`<span class="hint" id="roles-hint">${t.html('rule.roles.hint')}</span>`}
${all.map(box)}
${!isComplete && other}</fieldset>`;
}

/** How many people of a role are connected: the same as the confirmation of a decision counts. */
function connectedWith(t: Translator, connected: CountedPeople | undefined, role: string): Html | false {
  if (connected === undefined || typeof connected === 'string') return false;
  return html`<span class="soft">${t.html('rule.roles.count', { count: connected.get(role) ?? 0 })}</span>`;
}

function shownRoles({ roles }: SchoolRoles, own: readonly string[] = []): string[] {
  return [...new Set([...roles.map(({ role }) => role), ...own])];
}

/** What the form decides on, as it was shown. */
function shownFields(listed: ListedApp, version = listed.version): FormFields {
  return { ...targetFields(targetOf(listed)), version };
}
