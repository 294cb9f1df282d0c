import { refusesAll } from '../../../core/access/ended-by-rule.ts';
import type { AppRule } from '../../../core/access/rule.ts';
import { backLink } from '../../../pages/kit/app-header.ts';
import { targetPath } from '../../../pages/kit/console.ts';
import { icon } from '../../../pages/kit/icons.ts';
import { html, type Html, isolated, shortName, type Translator } from '../../../pages/kit/markup.ts';
import { type FormFields, hiddenFields, memberPage, type MemberPageContext } from '../../../pages/kit/member-page.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import type { PeopleCount, ReachedPeople } from '../domain/rule-reach.ts';
import { type DecisionView, losesPeople, ruleBefore, targetOf } from './decision-view.ts';
import { roleName } from '../../../pages/kit/role-name.ts';

/** What a decision takes away, in one word. Where it takes several things, the first of these says it. */
type DecisionKind = 'default' | 'blocked' | 'hidden' | 'named' | 'roles' | 'only' | 'ask' | 'view_only' | 'limits';

interface Confirmed {
  /** @default the school decides nothing from now on */
  readonly rule: AppRule | undefined;
  /** Whom it reaches. Absent if nobody keeps it, so that nobody was looked up. */
  readonly reached: ReachedPeople | undefined;
  /** The form once more. */
  readonly fields: FormFields;
}

/** Asks before people lose something: the decision is the heading and the button, and who loses what stands between them. */
export function confirmDecision(context: MemberPageContext, view: DecisionView, confirmed: Confirmed): PageBuilder {
  const { listed } = view;
  const { rule } = confirmed;
  const kind = kindOf(view, rule);
  const roles = kind === 'roles' ? lostRoles(view, rule) : (rule?.roles ?? []);
  const values = { client: shortName(listed.clientName), roles: namesOf(view, roles), school: context.site.name };
  const page = targetPath(context.path, targetOf(listed));
  return memberPage(context, {
    title: `decision.${kind}.title`,
    values,
    header: (_t, heading) => html`${backLink(page, isolated(values.client))}${heading}`,
    body: (
      t,
    ) => html`<ul class="effects">${effects(t, view, kind, confirmed, values).map((each) => html`<li>${each}</li>`)}</ul>
<form method="post" action="${page}">
${hiddenFields(context, { action: 'rule', ...confirmed.fields })}
<div class="actions stack"><button class="danger full" type="submit">${t.html(`decision.${kind}`, values)}</button><a class="button" href="${page}">${t.html('form.cancel')}</a></div>
</form>`,
  });
}

/** So many roles are named in a heading. */
const maxNamed = 3;

function kindOf(view: DecisionView, rule: AppRule | undefined): DecisionKind {
  if (!rule) return 'default';
  const before = ruleBefore(view);
  if (rule.access === 'blocked') return rule.access;
  if ((rule.pseudonym === true) !== (before.pseudonym === true)) return rule.pseudonym ? 'hidden' : 'named';
  const lost = lostRoles(view, rule);
  if (lost.length > 0) return lost.length > maxNamed || lost.length > (rule.roles?.length ?? 0) ? 'only' : 'roles';
  if (rule.roles && !before.roles) return 'only';
  if (rule.ask && !before.ask) return 'ask';
  return rule.access === 'view_only' && before.access !== 'view_only' ? rule.access : 'limits';
}

/** The roles that could connect it, and no longer can, as far as they are known. */
function lostRoles(view: DecisionView, rule: AppRule | undefined): readonly string[] {
  const { roles, isComplete } = view.roles;
  const before = ruleBefore(view).roles ?? (isComplete ? roles.map(({ role }) => role) : []);
  return rule?.roles ? before.filter((role) => rule.roles?.includes(role) !== true) : [];
}

function namesOf({ roles: known }: DecisionView, roles: readonly string[]): string {
  return roles.map((role) => roleName(known, role)).join(', ');
}

type Names = Readonly<Record<'client' | 'roles' | 'school', string>>;

/** Decisions after which people who lose it cannot connect it again. */
const turnsOff: ReadonlySet<DecisionKind> = new Set(['blocked', 'roles', 'only']);

function effects(
  t: Translator,
  view: DecisionView,
  kind: DecisionKind,
  { rule, reached }: Confirmed,
  names: Names,
): Html[] {
  return [
    ...(reached ? whoLoses(t, view, kind, reached, rule, names) : [everyone(t, view, rule)]),
    ...(turnsOff.has(kind)
      ? [html`${icon('inbox')}<span>${t.html('decision.read', { text: t.html('news.off', names) })}</span>`]
      : []),
  ];
}

/** Nobody had to be looked up. */
function everyone(t: Translator, { listed, fallback }: DecisionView, rule: AppRule = fallback): Html {
  const { people: count } = listed;
  const text = rule.access === 'blocked' ? 'decision.lose' : 'decision.lose.again';
  return loss(t.html(text, { people: bold(t.html('decision.people', { count })), count }));
}

function whoLoses(
  t: Translator,
  view: DecisionView,
  kind: DecisionKind,
  { total, counted }: ReachedPeople,
  rule: AppRule | undefined,
  names: Names,
): Html[] {
  if (!counted) {
    const people = bold(t.html('decision.people', { count: total }));
    const later = html`${icon('clock')}<span>${t.html('decision.later', { ...names, people, count: total })}</span>`;
    const roles = namesOf(view, rule?.roles ?? []);
    return [
      later,
      ...(roles === '' ? [] : [html`${icon('person')}<span>${t.html('decision.later.roles', { roles })}</span>`]),
    ];
  }
  const { lose, keep } = counted;
  const lost = kind === 'ask' ? 'decision.lose.ask' : 'decision.lose';
  const kept = isOnlyWho(view, rule) ? 'decision.keep' : 'decision.keep.less';
  return [
    ...(lose.size === 0 ? [gain(t.html('decision.nobody'))] : []),
    ...byRole(t, view, lose).map(([people, count]) => loss(t.html(lost, { people, count }))),
    ...byRole(t, view, keep).map(([people, count]) => gain(t.html(kept, { people, count }))),
  ];
}

/** Whether it only says who can connect it: those who still can keep what they had. */
function isOnlyWho(view: DecisionView, rule: AppRule = view.fallback): boolean {
  const { roles, ask } = ruleBefore(view);
  return !losesPeople(view, { ...rule, roles, ask });
}

/** So many roles have a row. */
const maxRows = 6;

function byRole(t: Translator, view: DecisionView, counts: PeopleCount): (readonly [people: Html, count: number])[] {
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  const others = sorted.slice(maxRows).reduce((sum, [, count]) => sum + count, 0);
  const rows = sorted.slice(0, maxRows).map(([role, count]) => {
    const values = { count, role: roleName(view.roles, role) };
    return [bold(t.html(role === '' ? 'decision.people.none' : 'decision.people.role', values)), count] as const;
  });
  if (others === 0) return rows;
  return [...rows, [bold(t.html('decision.people.others', { count: others })), others]];
}

function bold(text: Html): Html {
  return html`<b>${text}</b>`;
}

function loss(text: Html): Html {
  return html`${icon('block', 'bad')}<span>${text}</span>`;
}

function gain(text: Html): Html {
  return html`${icon('check', 'good')}<span>${text}</span>`;
}

/** Whether a decision needs no look at each person: nobody keeps it. */
export function losesEveryone(view: DecisionView, rule: AppRule = view.fallback): boolean {
  return refusesAll(ruleBefore(view), rule);
}
