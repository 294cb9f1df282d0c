import type { ShownBoundary } from '../core/boundaries/limit-choices.ts';
import { limitFields, limitHint } from './kit/limits.ts';
import type { Member, Site } from '../host/school-platform.ts';
import type { EarlierConsent } from '../core/grants/consent.ts';
import type { TextKey } from '../i18n/texts.ts';
import type { Scope, ScopeAccess, ScopeCatalogue } from '../core/scopes/scopes.ts';
import { type Asker, startedWithoutRedirect, trustFor } from './consent-trust-level.ts';
import { type AlwaysOpen, alwaysSees } from './kit/always-sees.ts';
import { decideBar, tickedText } from './kit/decide-bar.ts';
import { html, type Html, shortName, type Translator } from './kit/markup.ts';
import { monogram } from './kit/tile.ts';
import { statusMessage } from './kit/notice.ts';
import { choosable, manyScopes, permissionRows } from './kit/permissions.ts';

/** What a person decides on, and what is ticked when they see it. */
export interface ChoiceView extends Asker {
  readonly site: Site;
  /** The person who decides. @default anyone, in a preview */
  readonly member?: Member | undefined;
  readonly scopes: readonly Scope[];
  /** Whether the client knows the person by a pseudonym. @default false */
  readonly pseudonym?: boolean | undefined;
  /** What it also asks for, and gets only if an administrator approves it. */
  readonly beyond: readonly Scope[];
  /** Whether it asks for what waits for an administrator, also if this person is one. */
  readonly waits: boolean;
  /** The logo that such an approval is also for, as a `data:` URL. @default none */
  readonly logoToApprove?: string | undefined;
  readonly before: EarlierConsent;
  /** What was ticked when the form was last submitted, or what a button of the form ticks. @default what a person is likely to want */
  readonly ticked?: ReadonlySet<string> | undefined;
  /** Why what was ticked decides nothing. @default it does, or nothing was posted */
  readonly problem?: ChoiceProblem | undefined;
  /** Whether such a button was pressed. */
  readonly selected: boolean;
  readonly open: AlwaysOpen;
  /** To what the person can limit it. */
  readonly limits: readonly ShownBoundary[];
  readonly yourApps: string | undefined;
  /** The time when the access ends, in seconds since the epoch. */
  readonly until: number;
}

/** Why permissions that were posted decide nothing. */
export type ChoiceProblem = 'consent.none' | 'consent.approve.none';

/** A button that ticks all permissions, or none. */
type Preset = 'all' | 'none';

export function isPreset(button: string | undefined): button is Preset {
  return button === 'all' || button === 'none';
}

export function onlyViews(catalogue: ScopeCatalogue, scopes: readonly Scope[]): boolean {
  return choosable(scopes).every((scope) => catalogue.row(scope)?.access !== 'write');
}

/** What the person allowed before, and what they have not: only the latter is in full view. */
function parts({ scopes, before }: ChoiceView): Readonly<Record<'asked' | 'kept', readonly Scope[]>> {
  const { kept = [], asked = [] } = Object.groupBy(choosable(scopes), (scope) =>
    before.allowed.has(scope) ? 'kept' : 'asked',
  );
  return asked.length > 0 ? { asked, kept } : { asked: kept, kept: [] };
}

/** The consequence in one sentence. */
export function summary(t: Translator, view: ChoiceView): Html {
  const { asked, kept } = parts(view);
  const areas = (access: ScopeAccess): number => {
    const rows = [...asked, ...view.beyond].map((scope) => t.catalogue.row(scope));
    return new Set(rows.flatMap((row) => (row?.access === access ? row.area : []))).size;
  };
  const [changes, views] = [areas('write'), areas('read')];
  const values = { client: shortName(view.client.clientName), date: t.date(view.until) };
  if (changes + views === 0) return t.html('consent.summary.none', values);
  const strong = (verb: 'change' | 'view'): Html => html`<strong>${t.html(`consent.summary.${verb}`)}</strong>`;
  return t.html('consent.summary', {
    ...values,
    again: kept.length > 0 ? 1 : 0,
    both: changes > 0 && views > 0 ? 1 : 0,
    changes,
    views,
    change: strong('change'),
    view: strong('view'),
  });
}

/** What stays refused stays unticked, and what changes data if nobody knows whose app it is. */
export function tickedIn(view: ChoiceView, catalogue: ScopeCatalogue): (scope: Scope) => boolean {
  const { before, ticked } = view;
  const isKnown = trustFor(view) === 'known';
  return (scope) => {
    if (ticked) return ticked.has(scope);
    if (before.declined.has(scope)) return false;
    return isKnown || before.allowed.has(scope) || catalogue.row(scope)?.access !== 'write';
  };
}

/** What the person can limit, what they can give, then what it sees without that. */
export function choice(t: Translator, view: ChoiceView, details: Html): Html {
  const { site, scopes, pseudonym, beyond, open, yourApps, limits } = view;
  const { kept } = parts(view);
  const ticked = tickedIn(view, t.catalogue);
  const hint = limitHint(t, limits, 'limits.above');
  const page = yourApps !== undefined && html`<a href="${yourApps}">${t.html('connected.title')}</a>`;
  return html`${limitFields(t, limits)}
${kept.length > 0 && html`<p>${t.html('consent.asks.more')}</p>`}
${questionsOf(t, view).map((question) => fieldSet(t, view, question))}
${kept.length > 0 && html`<details class="within"${!kept.every(ticked) && html` open`}><summary>${t.html('consent.kept', { count: kept.length })}</summary>${permissionRows(t, kept, { ticked, hint })}</details>`}
${alwaysSees(t, { scopes: [...scopes, ...beyond], open, school: site.name, member: view.member, pseudonym })}
${details}
${page && html`<p class="soft">${t.html('consent.later', { page })}</p>`}`;
}

/** Permissions that are asked for with one heading. */
interface Question {
  readonly id: 'beyond' | 'within' | 'view' | 'change';
  readonly title: TextKey;
  readonly scopes: readonly Scope[];
}

/** What it sees and what it changes; with an approval, what needs one and what does not. */
function questionsOf({ catalogue }: Translator, view: ChoiceView): readonly Question[] {
  const { beyond } = view;
  const { asked } = parts(view);
  const { view: views = [], change: changes = [] } = Object.groupBy(asked, (scope) =>
    changesScope(catalogue, scope) ? 'change' : 'view',
  );
  const withApproval: readonly Question[] = [
    { id: 'beyond', title: 'consent.beyond', scopes: beyond },
    { id: 'within', title: 'consent.asks.within', scopes: asked },
  ];
  const plain: readonly Question[] = [
    { id: 'view', title: 'consent.asks.view', scopes: views },
    { id: 'change', title: 'consent.asks.change', scopes: changes },
  ];
  return (beyond.length > 0 ? withApproval : plain).filter(({ scopes }) => scopes.length > 0);
}

function changesScope(catalogue: ScopeCatalogue, scope: Scope): boolean {
  return catalogue.row(scope)?.access === 'write';
}

function fieldSet(t: Translator, view: ChoiceView, { id, title, scopes }: Question): Html {
  const { before, limits, problem } = view;
  const note = (scope: Scope): 'consent.new' | 'consent.declined' | undefined => {
    if (before.declined.has(scope)) return 'consent.declined';
    return before.allowed.size > 0 && !before.allowed.has(scope) ? 'consent.new' : undefined;
  };
  const questions = questionsOf(t, view);
  const [isFirst, isLast] = [questions[0]?.id === id, questions.at(-1)?.id === id];
  const wrong = problem === 'consent.none' ? questions.find((each) => each.id !== 'beyond') : questions[0];
  const isWrong = problem !== undefined && wrong?.id === id;
  const above = html`${head(t, view, html`<h2 id="${id}">${t.html(title)}</h2>`, isFirst)}
${isWrong && html`<p class="problem" id="scope.problem">${t.html(problem)}</p>`}
${id === 'beyond' && approval(t, view)}
${(id === 'beyond' || (isLast && view.beyond.length === 0)) && tickHint(t, view)}`;
  return html`<fieldset class="${id === 'beyond' ? id : 'within'}" aria-labelledby="${id}"${isWrong && html` aria-describedby="scope.problem"`}>
${permissionRows(t, scopes, { ticked: tickedIn(view, t.catalogue), note, hint: limitHint(t, limits, 'limits.above'), isWrong, above })}
</fieldset>`;
}

/** The heading of the permissions, with the step that ticks them all: it draws the page again, and decides nothing. */
function head(t: Translator, view: ChoiceView, heading: Html, isFirst: boolean): Html {
  const all = choosable([...view.scopes, ...view.beyond]);
  if (!isFirst || all.length <= manyScopes) return heading;
  const preset: Preset = all.every(tickedIn(view, t.catalogue)) ? 'none' : 'all';
  return html`<div class="head">${heading}<button class="plain" type="submit" name="select" value="${preset}">${t.html(`consent.select.${preset}`)}</button></div>`;
}

function tickHint(t: Translator, view: ChoiceView): Html | false {
  const { site, scopes, beyond, before, selected } = view;
  if (selected) return statusMessage(t, 'consent.selected');
  const level = trustFor(view);
  const why = level === 'unchecked' && startedWithoutRedirect(view.redirectUri, view.startPlaces) ? 'elsewhere' : level;
  // What was allowed before is ticked all the same.
  const isUnticked = !onlyViews(
    t.catalogue,
    [...scopes, ...beyond].filter((scope) => !before.allowed.has(scope)),
  );
  const key = isUnticked && why !== 'known' ? (`consent.unticked.${why}` as const) : 'consent.choose';
  return html`<p class="soft">${t.html(key, { school: site.name })}</p>`;
}

/** What an administrator approves, and for how long. */
function approval(t: Translator, { client, site, logoToApprove }: ChoiceView): Html {
  const host = URL.parse(client.clientId)?.host ?? client.clientId;
  const names = { school: site.name, host, client: shortName(client.clientName) };
  return html`<p class="soft">${t.html('consent.beyond.text', names)}</p>
${logoToApprove !== undefined && html`<p class="soft">${monogram(client.clientName, logoToApprove, 'small')} ${t.html('consent.beyond.logo')}</p>`}`;
}

interface Decision {
  readonly value: 'allow' | 'approve' | 'deny';
  readonly text: TextKey;
}

/** Where the page has an approval, allowing is without what it would add. */
export function decisionsOn(catalogue: ScopeCatalogue, { scopes, beyond }: ChoiceView): readonly Decision[] {
  const isLimited = beyond.length > 0 && onlyViews(catalogue, scopes);
  const limited = choosable(scopes).length > 0 ? 'consent.allow.view' : 'consent.allow.identity';
  const allow: Decision = { value: 'allow', text: isLimited ? limited : 'consent.allow' };
  const approve: Decision = { value: 'approve', text: 'consent.approve' };
  const deny: Decision = { value: 'deny', text: 'consent.deny' };
  return [...(scopes.length > 0 || beyond.length === 0 ? [allow] : []), ...(beyond.length > 0 ? [approve] : []), deny];
}

/** The buttons, and whatever of the choice the first of them says. */
export function decisions(t: Translator, view: ChoiceView): Html {
  return decideBar(
    decisionsOn(t.catalogue, view).map(({ value, text }, i) => ({
      value,
      text: value === 'allow' ? allowText(t, view, t.html(text)) : t.html(text),
      isPrimary: i === 0,
      isLong: value === 'approve',
    })),
  );
}

/** What it gives while nothing that changes data is ticked, and how much is ticked where that is more than a glance. */
function allowText(t: Translator, view: ChoiceView, text: Html): Html {
  const { scopes, pseudonym } = view;
  const { asked, kept } = parts(view);
  const isMany = asked.length > manyScopes;
  const of = isMany && t.html(kept.length > 0 ? 'consent.of.more' : 'consent.of', { count: asked.length });
  const own = choosable(scopes);
  if (onlyViews(t.catalogue, own)) return isMany ? tickedText({ some: text, of }) : text;
  const views = own.some((scope) => !changesScope(t.catalogue, scope));
  // It gets at least what says who the person is.
  const knows = own.length < scopes.length && !pseudonym;
  return tickedText({
    some: text,
    view: views && t.html('consent.allow.view'),
    none: knows && t.html('consent.allow.identity'),
    of,
  });
}
