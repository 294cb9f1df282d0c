import type { BoundaryItem, DeclaredBoundary, NamedBoundary } from '../../core/boundaries/boundary.ts';
import type { LimitRefusal, NamedLimit, ShownBoundary } from '../../core/boundaries/limit-choices.ts';
import type { Scope } from '../../core/scopes/scopes.ts';
import { html, type Html, isolated, type Translator } from './markup.ts';

/**
 * Field sets in which a person chooses what an app may use: a checkbox for each item, and one for all, which stands alone while only it is
 * ticked. The style says so while both are, which decides nothing. Without a script, a search draws the page again, and what was ticked stays
 * in the form. The first button of a form is what the Enter key presses: here it decides nothing.
 */
export function limitFields(t: Translator, limits: readonly ShownBoundary[]): Html {
  return html`${limits.map((shown) => fieldSet(t, shown))}`;
}

function fieldSet(t: Translator, shown: ShownBoundary): Html {
  const { type, items, total, offset, search, limited, elsewhere, gone, demanded, problem } = shown;
  const name = nounOf(t, shown);
  const described = problemAttributes(shown);
  const all = html`<label class="row all"><input type="checkbox" name="limit.${type}" value="all"${described}${!limited && html` checked`}><span>${t.html('limits.all', { name })}</span></label>`;
  const rows = (list: readonly BoundaryItem[], last: Html | false = false): Html =>
    html`<div class="chips">${list.map((item) => chip(shown, item, described))}${last}</div>`;
  const isLong = total > items.length || search !== '' || offset > 0;
  return html`<fieldset class="limits" id="limits.${type}">
<legend><h2>${t.html('limits.title', { name })}</h2></legend>
${problem ? html`<p class="problem" id="limits.${type}.problem">${t.html(problem, { name })}</p>` : html`<p class="both problem">${t.html('limits.problem.both', { name })}</p>`}
${demanded && html`<p class="soft">${t.html('limits.demanded')}</p>`}
${gone.length > 0 && html`<p class="soft">${t.html('limits.gone', { count: gone.length })}</p>`}
${isLong && searchFields(t, shown)}
${elsewhere.length > 0 && html`<p class="soft">${t.html('limits.chosen')}</p>${rows(elsewhere)}`}
${items.length === 0 && html`<p>${t.html(search === '' ? 'limits.nothing' : 'limits.unfound')}</p>`}
${(items.length > 0 || !demanded) && rows(items, !demanded && all)}
${isLong && pageButtons(t, shown)}
<input type="hidden" name="limits" value="${type}">
</fieldset>`;
}

function chip({ type, chosen }: ShownBoundary, { id, name, detail }: BoundaryItem, described: Html | false): Html {
  return html`<label class="row"><input type="checkbox" name="only.${type}" value="${id}"${described}${chosen.has(id) && html` checked`}><span>${isolated(name)}${detail !== undefined && html` <span class="hint">${isolated(detail)}</span>`}</span></label>
`;
}

function problemAttributes({ type, problem }: ShownBoundary): Html | false {
  return problem !== undefined && html` aria-invalid="true" aria-describedby="limits.${type}.problem"`;
}

/** What is wrong with a choice. */
export function limitAlert(t: Translator, { problem, type }: LimitRefusal, limits: readonly ShownBoundary[]): Html {
  const shown = limits.find((each) => each.type === type);
  return t.html(problem, { name: shown ? nounOf(t, shown) : type });
}

/** Beside a permission: where on the page the person chooses what it is for. */
export function limitHint(
  t: Translator,
  limits: readonly ShownBoundary[],
  where: 'limits.above' | 'limits.below',
): (scope: Scope) => Html | false {
  return (scope) => {
    const shown = limits.find(({ scopes }) => scopes.includes(scope));
    return shown !== undefined && t.html(where, { name: nounOf(t, shown) });
  };
}

function searchFields(t: Translator, { type, search, offset }: ShownBoundary): Html {
  const id = `find.${type}`;
  return html`<div class="field"><label for="${id}">${t.html('limits.search')}</label>
<input type="search" id="${id}" name="${id}" value="${search}" maxlength="100">
<button class="small" type="submit" name="select" value="find">${t.html('limits.find')}</button>
<input type="hidden" name="from.${type}" value="${offset}"></div>`;
}

function pageButtons(t: Translator, { type, items, total, offset }: ShownBoundary): Html {
  const button = (way: 'back' | 'next'): Html =>
    html`<button class="small" type="submit" name="select" value="${way}.${type}">${t.html(`limits.${way}`)}</button> `;
  return html`<p>${offset > 0 && button('back')}${offset + items.length < total && button('next')}<span class="soft">${t.html('limits.shown', { from: items.length === 0 ? 0 : offset + 1, to: offset + items.length, count: total })}</span></p>`;
}

/** Checkboxes in the form of a decision: the types for which each person must choose. `before` can have one that is no longer declared. */
export function demandFields(t: Translator, declared: readonly DeclaredBoundary[], before: readonly string[]): Html {
  const gone = before.filter((type) => declared.every((each) => each.type !== type));
  const all = [...declared, ...gone.map((type) => ({ type, name: type }))];
  if (all.length === 0) return html``;
  return html`<input type="hidden" name="demands" value="shown">
${all.map(
  (each) =>
    html`<label class="row"><input type="checkbox" name="demand" value="${each.type}"${before.includes(each.type) && html` checked`}><span>${t.html('limits.demand', { name: nameOf(t, each) })}</span></label>`,
)}`;
}

/** Under what applies now: for what each person must choose. */
export function demandLine(t: Translator, declared: readonly DeclaredBoundary[], limited: readonly string[]): Html {
  const names = limited.map((type) => nameOf(t, declared.find((each) => each.type === type) ?? { type, name: type }));
  const list = names.map((name, i) => html`${i > 0 && ', '}${name}`);
  return limited.length > 0 ? html`<p>${t.html('limits.demands', { names: html`${list}` })}</p>` : html``;
}

/** After what an event says: what an app was limited to then. */
export function limitLine(t: Translator, limits: readonly NamedLimit[]): Html {
  return html`${limits.map(
    (limit) =>
      html` <span class="soft">${t.html('pair', { name: nameOf(t, limit), value: html`${isolatedList(itemNames(limit))}` })}</span>`,
  )}`;
}

/** The same in a file. */
export function limitText(t: Translator, limits: readonly NamedLimit[]): string {
  return limits.map((limit) => `${plainName(t, limit)}: ${itemNames(limit).join(', ')}`).join('; ');
}

/** An item that is gone has its id alone. */
function itemNames({ items }: NamedLimit): string[] {
  return items.map(({ id, name = id }) => name);
}

function isolatedList(names: readonly string[]): Html[] {
  return names.map((name, i) => html`${i > 0 && ', '}${isolated(name)}`);
}

/** In the language of the page where the host has translated it. */
function plainName(t: Translator, { name, names }: NamedBoundary): string {
  return names?.[t.language] ?? name;
}

function nameOf(t: Translator, boundary: NamedBoundary): Html {
  return isolated(plainName(t, boundary));
}

/** Within a sentence, where English does not begin it with a capital. */
function nounOf(t: Translator, boundary: NamedBoundary): Html {
  const name = plainName(t, boundary);
  return isolated(t.language === 'en' ? name.charAt(0).toLowerCase() + name.slice(1) : name);
}
