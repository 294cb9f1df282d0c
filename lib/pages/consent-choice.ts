import type { ShownBoundary } from '../core/boundaries/limit-choices.ts';
import { limitFields } from './kit/limits.ts';
import type { Member, Site } from '../host/school-platform.ts';
import type { EarlierConsent } from '../core/grants/consent.ts';
import type { TextKey } from '../i18n/texts.ts';
import type { Scope, ScopeAccess, ScopeCatalogue } from '../core/scopes/scopes.ts';
import { type Asker, trustFor } from './consent-trust-level.ts';
import { type AlwaysOpen, alwaysSees } from './kit/always-sees.ts';
import { countedText, decideBar } from './kit/decide-bar.ts';
import { html, type Html, shortName, type Translator } from './kit/markup.ts';
import { monogram } from './kit/tile.ts';
import { statusMessage } from './kit/notice.ts';
import { choosable, permissionRows } from './kit/permissions.ts';

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
  /** Whether such a button was pressed. */
  readonly selected: boolean;
  readonly open: AlwaysOpen;
  /** To what the person can limit it. */
  readonly limits: readonly ShownBoundary[];
  readonly yourApps: string | undefined;
  /** The time when the access ends, in seconds since the epoch. */
  readonly until: number;
}

/** With more permissions than this, one step ticks them all, and the button counts. */
const manyScopes = 6;

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

/** The permissions, then what it sees without them. */
export function choice(t: Translator, view: ChoiceView, details: Html): Html {
  const { site, scopes, pseudonym, beyond, before, open, yourApps } = view;
  const { asked, kept } = parts(view);
  const ticked = tickedIn(view, t.catalogue);
  const note = (scope: Scope): 'consent.new' | 'consent.declined' | undefined => {
    if (before.declined.has(scope)) return 'consent.declined';
    return before.allowed.size > 0 && !before.allowed.has(scope) ? 'consent.new' : undefined;
  };
  const page = yourApps !== undefined && html`<a href="${yourApps}">${t.html('connected.title')}</a>`;
  const canLeaveOut = asked.length + beyond.length > 0;
  const title = kept.length > 0 ? 'consent.asks.more' : beyond.length > 0 ? 'consent.asks.within' : 'consent.asks';
  return html`<div>
${beyond.length > 0 && approval(t, view)}
${
  asked.length > 0 &&
  html`<fieldset class="within" aria-labelledby="asked">
${permissionRows(t, asked, { ticked, note, above: html`${head(t, view, t.html(title), 'asked')}${beyond.length === 0 && hint(t, view)}` })}
${kept.length > 0 && html`<details${!kept.every(ticked) && html` open`}><summary>${t.html('consent.kept', { count: kept.length })}</summary>${permissionRows(t, kept, { ticked })}</details>`}
</fieldset>`
}
${limitFields(t, view.limits)}
${alwaysSees(t, { scopes: [...scopes, ...beyond], open, school: site.name, member: view.member, pseudonym })}
${details}
${(page || canLeaveOut) && html`<p class="soft">${canLeaveOut && t.html('consent.never')}${page && html` <span>${t.html('consent.later', { page })}</span>`}</p>`}</div>`;
}

/** The heading of the permissions, with the step that ticks them all: it draws the page again, and decides nothing. */
function head(t: Translator, view: ChoiceView, heading: Html, id: string): Html {
  const { scopes, beyond } = view;
  const all = choosable([...scopes, ...beyond]);
  const preset: Preset = all.every(tickedIn(view, t.catalogue)) ? 'none' : 'all';
  const button = html`<button class="plain" type="submit" name="select" value="${preset}">${t.html(`consent.select.${preset}`)}</button>`;
  return html`<div class="head"><h2 id="${id}">${heading}</h2>${all.length > manyScopes && (id === 'beyond' || beyond.length === 0) && button}</div>`;
}

function hint(t: Translator, view: ChoiceView): Html | false {
  const { site, scopes, beyond, before, selected } = view;
  if (selected) return statusMessage(t, 'consent.selected');
  const level = trustFor(view);
  // What was allowed before is ticked all the same.
  const isUnticked = !onlyViews(
    t.catalogue,
    [...scopes, ...beyond].filter((scope) => !before.allowed.has(scope)),
  );
  const why = isUnticked && level !== 'known' && t.html(`consent.unticked.${level}`, { school: site.name });
  return html`<p class="soft">${t.html('consent.choose')}${why && html` ${why}`}</p>`;
}

/** What the app also asks for, for an administrator to approve. */
function approval(t: Translator, view: ChoiceView): Html {
  const { client, site, beyond, logoToApprove } = view;
  const host = URL.parse(client.clientId)?.host ?? client.clientId;
  const names = { school: site.name, host, client: shortName(client.clientName) };
  const above = html`${head(t, view, t.html('consent.beyond'), 'beyond')}
<p class="soft">${t.html('consent.beyond.text', names)}</p>
${logoToApprove !== undefined && html`<p class="soft">${monogram(client.clientName, logoToApprove, 'small')} ${t.html('consent.beyond.logo')}</p>`}
${hint(t, view)}`;
  return html`<fieldset class="beyond" aria-labelledby="beyond">
${permissionRows(t, beyond, { ticked: tickedIn(view, t.catalogue), above })}
</fieldset>`;
}

interface Decision {
  readonly value: 'allow' | 'approve' | 'deny';
  readonly text: TextKey;
}

/** Where the page has an approval, allowing is without what it would add. */
export function decisionsOn(catalogue: ScopeCatalogue, { scopes, beyond }: ChoiceView): readonly Decision[] {
  const without = onlyViews(catalogue, scopes) ? 'consent.allow.view' : 'consent.allow.many';
  const allow = { value: 'allow', text: beyond.length > 0 ? without : 'consent.allow' } as const;
  return [
    ...(scopes.length > 0 || beyond.length === 0 ? [allow] : []),
    ...(beyond.length > 0 ? [{ value: 'approve', text: 'consent.approve' } as const] : []),
    { value: 'deny', text: 'consent.deny' },
  ];
}

/** The buttons, and whatever of the choice the first of them says. */
export function decisions(t: Translator, view: ChoiceView): Html {
  const values = { client: shortName(view.client.clientName) };
  return decideBar(
    decisionsOn(t.catalogue, view).map(({ value, text }, i) => ({
      value,
      text: value === 'allow' ? allowText(t, view, t.html(text, values)) : t.html(text, values),
      isPrimary: i === 0,
      isLong: value === 'approve',
    })),
  );
}

/** It says how much is ticked where that is more than a glance, and that nothing of it changes data. The style counts. */
function allowText(t: Translator, view: ChoiceView, text: Html): Html {
  const { beyond } = view;
  const { asked, kept } = parts(view);
  const changes = !onlyViews(t.catalogue, asked);
  const isKnown = trustFor(view) === 'known';
  if (asked.length <= manyScopes && (isKnown || !changes || kept.length > 0)) return text;
  if (beyond.length > 0 && !changes) return text;
  const of = t.html(kept.length > 0 ? 'consent.of.more' : 'consent.of', { count: asked.length });
  return countedText(changes && t.html('consent.allow.view'), t.html('consent.allow.many'), of);
}
