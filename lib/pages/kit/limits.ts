import type { BoundaryItem, DeclaredBoundary, NamedBoundary } from '../../core/boundaries/boundary.ts';
import type { NamedLimit, ShownBoundary } from '../../core/boundaries/limit-choices.ts';
import { html, type Html, isolated, type Translator } from './markup.ts';

/**
 * Field sets in which a person chooses what an app may use. Without a script, a search draws the page again, and what was ticked stays in
 * the form. The first button of a form is what the Enter key presses: here it decides nothing.
 */
export function limitFields(t: Translator, limits: readonly ShownBoundary[]): Html {
  return html`${limits.map((shown) => fieldSet(t, shown))}`;
}

function fieldSet(t: Translator, shown: ShownBoundary): Html {
  const { type, items, total, offset, search, limited, elsewhere, gone, demanded } = shown;
  const name = nameOf(t, shown);
  const radio = (value: 'all' | 'some', checked: boolean): Html =>
    html`<li><label class="row"><input type="radio" name="limit.${type}" value="${value}"${checked && html` checked`}> <span>${t.html(`limits.${value}`)}</span></label></li>`;
  const rows = (list: readonly BoundaryItem[]): Html => html`<ul>${list.map((item) => row(shown, item))}</ul>`;
  const isLong = total > items.length || search !== '' || offset > 0;
  return html`<fieldset class="scopes within limits">
<legend><h2>${name}</h2></legend>
<ul>${!demanded && radio('all', !limited)}${radio('some', limited)}</ul>
${demanded && html`<p class="soft">${t.html('limits.demanded')}</p>`}
${gone.length > 0 && html`<p class="soft">${t.html('limits.gone', { count: gone.length })}</p>`}
${isLong && searchFields(t, shown)}
${elsewhere.length > 0 && html`<p class="soft">${t.html('limits.chosen')}</p>${rows(elsewhere)}`}
${items.length > 0 ? rows(items) : html`<p>${t.html(search === '' ? 'limits.nothing' : 'limits.unfound')}</p>`}
${isLong && pageButtons(t, shown)}
</fieldset>`;
}

function row({ type, chosen }: ShownBoundary, { id, name, detail }: BoundaryItem): Html {
  return html`<li><label class="row"><input type="checkbox" name="only.${type}" value="${id}"${chosen.has(id) && html` checked`}> <span>${isolated(name)}${detail !== undefined && html` <span class="soft">${isolated(detail)}</span>`}</span></label></li>
`;
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
