import { type AppStatus, type VersionState } from '../../../core/clients/client-status.ts';
import { type AppAccess, appAccesses, type AppRule } from '../../../core/access/rule.ts';
import { isMetadataDocumentId } from '../../../core/clients/client-id.ts';
import type { ListedApp } from '../../../core/apps/apps.ts';
import type { AppTarget } from '../../../core/access/app-rule.ts';
import { refusesAll, takesAway } from '../../../core/access/ended-by-rule.ts';
import type { ShownVersion } from '../../../core/access/app-review.ts';
import { type SchoolRoles, unknownRoles } from '../../../core/access/school-roles.ts';
import { identityScopes, type Scope, splitScope } from '../../../core/scopes/scopes.ts';
import { field, type Form } from '../../../http/body.ts';
import type { TextKey } from '../../../i18n/texts.ts';
import { demandFields, demandLine } from '../../../pages/kit/limits.ts';
import { pseudonymFields } from '../../../pages/kit/pseudonym-choice.ts';
import { targetPath } from '../../../pages/kit/console.ts';
import { decisionMenu } from '../../../pages/kit/decision-menu.ts';
import { icon } from '../../../pages/kit/icons.ts';
import { html, type Html, isolated, shortName, type Translator } from '../../../pages/kit/markup.ts';
import { type FormFields, hiddenFields, type MemberPageContext } from '../../../pages/kit/member-page.ts';
import { choosable, permissionRows } from '../../../pages/kit/permissions.ts';
import { notice } from '../../../pages/kit/notice.ts';
import { plainRow, rowList } from '../../../pages/kit/row-link.ts';
import type { AllowedPeople, DecisionProblem, DecisionView } from './decision-view.ts';
import { targetOf } from './decision-view.ts';
import { roleName } from '../../../pages/kit/role-name.ts';

/** `default`: the school decides nothing. */
export type Choice = AppAccess | 'default';

/** In characters. */
export const maxNote = 1000;

/** The form for a decision of the school, with the effect of each choice before it is saved. */
export function decisionForm(t: Translator, context: MemberPageContext, view: DecisionView): Html {
  const { listed, roles, requestId, attempt } = view;
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
${roleFields(t, roles, before.roles, problemAt(t, context, view, 'roles'))}
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
  if (attempt?.problem.field !== at) return false;
  const { problem } = attempt;
  const role = 'role' in problem ? shortName(problem.role) : '';
  return html`<b class="problem" id="${at}-problem" role="alert">${t.html(problem.text, { role, school: site.name, count: maxNote })}</b>`;
}

/** What the roles and permissions of the form start from. */
function startOf(view: DecisionView): AppRule {
  return view.attempt?.rule ?? ruleBefore(view);
}

/** What applies before the decision. */
export function ruleBefore({ listed, fallback }: DecisionView): AppRule {
  return listed.own ?? fallback;
}

function choiceOf(t: Translator, view: DecisionView, access: AppAccess) {
  return {
    value: access,
    text: t.html(`rule.access.${access}`),
    now: choiceInForce(view) === access && t.html('rule.now'),
    hint: t.html(effectOf(view, access)),
    effect: loss(t, view, withAccess(view, access)),
    isChosen: (view.attempt?.rule.access ?? chosen(view)) === access,
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

/** Whether connections end with this decision. @param rule - `undefined` for none */
export function losesPeople({ listed, document, fallback }: DecisionView, rule: AppRule | undefined): boolean {
  const hasApproval = document?.status === 'approved' || document?.status === 'changed';
  const { clientId } = listed;
  return takesAway({ rule: listed.own ?? fallback, hasApproval }, { rule, fallback, clientId });
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

/** By whom it was decided, when and why. */
export function decidedLine(t: Translator, { decided }: DecisionView): Html | false {
  if (!decided) return false;
  const { name, at, note } = decided;
  const date = t.nearDate(at);
  const who =
    name === undefined ? t.html('rule.decided', { date }) : t.html('rule.decided.by', { name: shortName(name), date });
  return html`<p>${who}${note !== undefined && html`<br>${t.html('pair', { name: t.html('rule.note.given'), value: isolated(note.replaceAll('\n', ' ')) })}`}</p>`;
}

/**
 * All ticked: everyone. While not all roles of a school are known, none ticked is everyone, and others can be entered. A role that the
 * school no longer has stays until somebody removes it.
 */
function roleFields(
  t: Translator,
  known: SchoolRoles,
  own: readonly string[] | undefined,
  problem: Html | false,
): Html | false {
  const { roles, isComplete } = known;
  const all = shownRoles(known, own);
  if (isComplete && all.length === 0) return false;
  const gone = unknownRoles(known, own ?? []);
  const isTicked = (role: string): boolean => own?.includes(role) ?? (isComplete && roles.length > 0);
  const box = (role: string): Html =>
    html`<label class="row"><input type="checkbox" name="role" value="${role}"${isTicked(role) && html` checked`}><span>${isolated(roleName(known, role))}${gone.includes(role) && html` <span class="badge warn">${t.html('rule.role.gone')}</span>`}</span></label>`;
  const other = html`<div class="field"><label for="roles">${t.html('rule.roles.other')}</label>
<span class="hint" id="other-roles-hint">${t.html('rule.roles.other.hint')}</span>
<input type="text" id="roles" name="roles" aria-describedby="other-roles-hint" autocomplete="off"></div>`;
  const described = [problem && 'roles-problem', !isComplete && 'roles-hint'].filter(Boolean).join(' ');
  return html`<fieldset class="who"${described !== '' && html` aria-describedby="${described}"`}><legend>${t.html('rule.roles')}</legend>${problem}
${isComplete ? all.map((role) => html`<input type="hidden" name="shown" value="${role}">`) : html`<span class="hint" id="roles-hint">${t.html('rule.roles.hint')}</span>`}
${all.map(box)}
${!isComplete && other}</fieldset>`;
}

function shownRoles({ roles }: SchoolRoles, own: readonly string[] = []): string[] {
  return [...new Set([...roles.map(({ role }) => role), ...own])];
}

/** Whether it knows people by pseudonyms now. */
export function hidesPeople({ listed: { rule }, isPairwise = false }: DecisionView): boolean {
  return isPairwise || rule.pseudonym === true;
}

/** Whether it changes nothing, also for people who are allowed one by one. */
export function onlyViews({ listed: { rule, status }, document }: DecisionView): boolean {
  return status === 'view_only' || (rule.access === 'view_only' && document?.status !== 'approved');
}

/** What applies now, in words. */
export function inForce(
  t: Translator,
  { path, site }: MemberPageContext,
  view: DecisionView,
  isService: boolean,
): Html {
  const { listed, roles: known, boundaries } = view;
  const { rule, app, clientId, own, status } = listed;
  const { roles, scopes, limited = [] } = rule;
  const ofApp = !own && app !== undefined && clientId !== undefined;
  const gone = unknownRoles(known, roles ?? []).map(shortName);
  const alsoViews = status === 'needs_approval' && onlyViews(view);
  return html`<p>${t.html(inForceText(status, { isService, isClient: clientId !== undefined }))}${ofApp && html` <a href="${targetPath(path, { app })}">${t.html('rule.app')}</a>`}</p>
${alsoViews && html`<p>${t.html('rule.now.views')}</p>`}
${roles && html`<p>${t.html('rule.now.roles', { roles: roles.map((role) => roleName(known, role)).join(', ') })}</p>`}
${gone.length > 0 && notice('warn', t.html('rule.now.gone', { school: site.name, roles: gone.join(', ') }))}
${listed.from === 'platform' && notice('plain', t.html('rule.platform'))}
${hidesPeople(view) && html`<p>${t.html('rule.now.pseudonym')}</p>`}
${demandLine(t, boundaries, limited)}
${scopes && html`<p>${t.html('rule.now.scopes')}</p>`}`;
}

interface Kind {
  readonly isService: boolean;
  readonly isClient: boolean;
}

/** Nobody connects a service, and only among the clients of an app can be some that wait for an approval. */
function inForceText(status: AppStatus, { isService, isClient }: Kind): TextKey {
  if (isService) return status === 'blocked' ? 'rule.now.service.blocked' : 'rule.now.service';
  return status === 'allowed' && isClient ? 'rule.now.allowed.client' : `rule.now.${status}`;
}

/** Those for whom the school has decided one by one, each with a button that takes it back. */
export function peopleSection(
  t: Translator,
  context: MemberPageContext,
  target: AppTarget,
  { people: { all, total }, listed: { rule } }: { readonly people: AllowedPeople; readonly listed: ListedApp },
): Html {
  const path = targetPath(context.path, target);
  const isBlocked = rule.access === 'blocked';
  return html`<section aria-labelledby="allowed"><h2 id="allowed">${t.html(isBlocked ? 'rule.people.before' : 'rule.people', { count: total })}</h2>
<p>${t.html(isBlocked ? 'rule.people.before.text' : 'rule.people.text')}</p>
${rowList(
  all.map(({ memberId, version, name, at, by }, i) => {
    const fields = { action: 'reset-person', ...targetFields(target), member: memberId, version };
    const date = t.nearDate(at);
    const who = name === undefined ? t.html('rule.people.gone') : isolated(shortName(name));
    const decided =
      by === undefined ? t.html('rule.decided', { date }) : t.html('rule.decided.by', { name: shortName(by), date });
    return plainRow(
      { tile: icon('person'), name: html`<span id="person-${i}">${who}</span>`, hint: decided },
      html`<form method="post" action="${path}">${hiddenFields(context, fields)}<button type="submit" aria-describedby="person-${i}">${t.html('rule.people.reset')}</button></form>`,
    );
  }),
)}
${total > all.length && html`<p class="soft">${t.html('rule.people.more', { count: total - all.length })}</p>`}</section>`;
}

export interface FormDecision {
  /** Absent if nothing was chosen. */
  readonly choice: Choice | undefined;
  /** The rule of the school; absent for no decision. */
  readonly rule: AppRule | undefined;
  readonly note: string | undefined;
  /** The roles that are ticked or entered. */
  readonly named: readonly string[];
  /** Whether somebody can connect it by its roles, and none is ticked of those that were shown. */
  readonly hasNobody: boolean;
}

/** What the form says. */
export function decisionIn(form: Form, view: DecisionView): FormDecision {
  const choice = ([...appAccesses, 'default'] as const).find((each) => each === field(form, 'access'));
  // A browser counts the end of a line as one character, and sends two.
  const note = (field(form, 'note') ?? '').replaceAll('\r\n', '\n').trim();
  const typed = (field(form, 'roles') ?? '').split(',').map((role) => role.trim());
  const named = [...new Set([...[form['role'] ?? []].flat(), ...typed].filter(Boolean))];
  const shown = [form['shown'] ?? []].flat();
  const isEveryone = shown.length > 0 && shown.every((role) => named.includes(role)) && !hasRoles(view, named);
  const roles = isEveryone ? [] : named;
  const ticked = [...[form['scope'] ?? []].flat(), ...splitScope(field(form, 'scopes'))];
  const { pseudonym, identity } = identityIn(form, view);
  const limited = field(form, 'limited') === 'yes' && { scopes: [...new Set([...identity, ...choosable(ticked)])] };
  const demands = demandsIn(form, view);
  const hasRule = choice !== undefined && choice !== 'default';
  return {
    choice,
    rule: hasRule
      ? {
          access: choice,
          ...(field(form, 'ask') === 'ask' && { ask: true }),
          ...(roles.length > 0 && { roles }),
          ...limited,
          ...(pseudonym && { pseudonym }),
          ...(demands.length > 0 && { limited: demands }),
        }
      : undefined,
    note: note === '' ? undefined : note,
    named,
    // Beside a block, roles say nothing.
    hasNobody: hasRule && choice !== 'blocked' && shown.length > 0 && named.length === 0,
  };
}

/**
 * Under which names clients know people. What a form does not show stays as it is, as the identity scopes do: nobody becomes known by name
 * through a change of something else.
 */
function identityIn(
  form: Form,
  view: DecisionView,
): { readonly pseudonym: boolean; readonly identity: readonly Scope[] } {
  const { scopes, pseudonym: before = false } = ruleBefore(view);
  const isShown = view.canHide && [form['asked'] ?? []].flat().includes('pseudonym');
  const pseudonym = isShown ? field(form, 'pseudonym') === 'yes' : before;
  const isLeft = (scope: Scope): boolean => {
    if (pseudonym) return scope === 'openid' || scopes?.includes(scope) === true;
    return before || scopes === undefined || scopes.includes(scope);
  };
  return { pseudonym, identity: identityScopes.filter(isLeft) };
}

/** For what people have to choose. A form that does not show it changes nothing of it. */
function demandsIn(form: Form, view: DecisionView): readonly string[] {
  const { limited: before = [] } = ruleBefore(view);
  if (field(form, 'demands') !== 'shown') return before;
  const known = [...before, ...view.boundaries.map(({ type }) => type)];
  return [...new Set([form['demand'] ?? []].flat())].filter((type) => known.includes(type));
}

/** Whether the rule before names exactly these roles: all that a school has now may be some of those of tomorrow. */
function hasRoles(view: DecisionView, roles: readonly string[]): boolean {
  const { roles: before = [] } = ruleBefore(view);
  return before.length === roles.length && before.every((role) => roles.includes(role));
}

/** The same form once more, for a confirmation: what was looked at stays what it was. */
export function decisionFields(target: AppTarget, { rule, note = '' }: FormDecision, form: Form): FormFields {
  const { access = 'default', ask, roles = [], scopes = [], pseudonym, limited } = rule ?? {};
  const isLimited = field(form, 'limited') === 'yes';
  const looked = (['version', 'request'] as const).flatMap((name) => {
    const value = field(form, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...targetFields(target),
    ...Object.fromEntries(looked),
    access,
    ...(ask && { ask: 'ask' }),
    role: roles,
    ...(isLimited && { limited: 'yes', scopes: scopes.join(' ') }),
    asked: [form['asked'] ?? []].flat(),
    ...(pseudonym && { pseudonym: 'yes' }),
    demands: 'shown',
    demand: limited ?? [],
    note,
    confirmed: 'yes',
  };
}

/** What the form decides on, as it was shown. */
function shownFields(listed: ListedApp, version = listed.version): FormFields {
  return { ...targetFields(targetOf(listed)), version };
}

export function targetFields(target: AppTarget): Readonly<Record<string, string>> {
  return 'app' in target ? { app: target.app } : { client: target.clientId };
}
