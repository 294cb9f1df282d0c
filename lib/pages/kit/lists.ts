import type { ClientAudience, ClientSource } from '../../core/clients/client.ts';
import type { AppStatus } from '../../core/clients/client-status.ts';
import type { ListQuery, PageNumbers, ListSort } from '../../core/clients/listed-client.ts';
import type { TextKey } from '../../i18n/texts.ts';
import { ownEntry } from '../../kernel/own-entry.ts';
import { icon } from './icons.ts';
import { html, type Html, type Translator } from './markup.ts';

type MenuName = 'audience' | 'kind' | 'secret' | 'status' | 'used' | 'sort';

type Option = readonly [value: string, text: TextKey, query: Partial<ListQuery>];

/** After so many days, an app counts as unused. */
export const unusedDays = 90;

const audience = (value: ClientAudience): Option => [value, `list.audience.${value}`, { audience: value }];
const kind = (source: ClientSource): Option => [source, `list.kind.${source}`, { source }];
const status = (value: AppStatus): Option => [value, `status.${value}`, { status: value }];
const sort = (value: ListSort): Option => [value, `list.sort.${value}`, { sort: value }];

/** All that lists can be narrowed and sorted by: the menus, their values in an address, and what these ask for. */
const menus: Readonly<Record<MenuName, readonly Option[]>> = {
  audience: [audience('member'), audience('operator'), audience('service')],
  kind: [kind('registered'), kind('document'), kind('application'), kind('static')],
  secret: [
    ['confidential', 'list.secret.confidential', { confidential: true }],
    ['public', 'list.secret.public', { confidential: false }],
  ],
  status: [status('allowed'), status('view_only'), status('needs_approval'), status('blocked')],
  used: [['unused', 'list.used.unused', { unusedDays }]],
  sort: [sort('name'), sort('people'), sort('active'), sort('unused'), sort('new')],
};

/** A menu that only one list has. Its caller reads what was chosen. */
interface OwnMenu {
  readonly name: string;
  readonly label: TextKey;
  /** What stands for all of them. */
  readonly first: TextKey;
  readonly values: readonly { readonly value: string; readonly text: string }[];
}

/** What people can choose in a list. */
interface ListChoices {
  readonly path: string;
  readonly search?: TextKey;
  readonly menus?: readonly MenuName[];
  readonly own?: OwnMenu;
  /** What is chosen by links, and not in a menu. */
  readonly linked?: readonly MenuName[];
  /** Its own order, which is not among the choices. */
  readonly order?: TextKey;
  /** What the address of the whole list says, if that is not all that its path has. */
  readonly whole?: Readonly<Record<string, string>>;
  /** Entries on a page. @default 25 */
  readonly size?: number;
}

/** What a person has chosen of it. All of that is in the address. */
export interface Listing extends ListChoices {
  /** The values in the address, without the page. */
  readonly chosen: Readonly<Record<string, string>>;
  readonly query: ListQuery & { readonly page: number };
}

const maxSearch = 100;
const pageSize = 25;

/** Reads an address. What nobody can choose there is not read. */
export function listingIn(query: Readonly<Record<string, unknown>>, choices: ListChoices): Listing {
  const { q, page } = query;
  const search = typeof q === 'string' ? q.slice(0, maxSearch) : '';
  const { menus: names = [], linked = [], own, size = pageSize } = choices;
  const found = [...linked, ...names].flatMap((name) => {
    const option = optionsOf(name, choices).find(([value]) => value === query[name]);
    return option ? [{ name, option }] : [];
  });
  const ownValue = own && own.values.find(({ value }) => value === query[own.name])?.value;
  const ownChoice = own && ownValue !== undefined && { name: own.name, value: ownValue };
  return {
    ...choices,
    chosen: {
      ...(search !== '' && { q: search }),
      ...(ownChoice && { [ownChoice.name]: ownChoice.value }),
      ...Object.fromEntries(found.map(({ name, option: [value] }) => [name, value])),
    },
    query: {
      search,
      ...Object.assign({}, ...found.map(({ option: [, , part] }) => part)),
      page: typeof page === 'string' && /^\d{1,6}$/.test(page) ? Number(page) : 1,
      size,
    },
  };
}

function optionsOf(name: MenuName, { order }: ListChoices): readonly Option[] {
  return menus[name].filter(([, text]) => text !== order);
}

/** Whether the list shows less than all, or in another order. */
export function isNarrowed({ chosen, whole = {} }: Listing): boolean {
  return Object.entries(chosen).some(([name, value]) => value !== ownEntry(whole, name));
}

interface ListAddress {
  readonly path: string;
  readonly chosen: Readonly<Record<string, string>>;
}

/** The address of a page of a list. */
export function listAddress(
  { path, chosen }: ListAddress,
  more: Readonly<Record<string, string>> = {},
  page = 1,
): string {
  const query = new URLSearchParams({ ...chosen, ...(page > 1 && { page: `${page}` }), ...more }).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** The search and the menus, as a form that works without a script. */
export function listForm(t: Translator, listing: Listing): Html {
  const { path, search = 'list.search', menus: names = [], own, query, chosen } = listing;
  const option = (name: string, value: string, text: string): Html =>
    html`<option value="${value}"${chosen[name] === value && html` selected`}>${text}</option>`;
  const menu = (name: string, label: TextKey, first: TextKey, options: readonly Html[]): Html =>
    html`<label class="narrow"><span class="hide">${t.html(label)}</span><select name="${name}"><option value="">${t.text(first)}</option>${options}</select></label>`;
  const known = (name: MenuName): Html => {
    const first = name === 'sort' ? (listing.order ?? 'list.all') : (`list.any.${name}` as const);
    const options = optionsOf(name, listing).map(([value, text]) => option(name, value, t.text(text)));
    return menu(name, `list.${name}`, first, options);
  };
  const ofList = own && own.values.length > 0 && own;
  const ownOptions = ofList ? ofList.values.map(({ value, text }) => option(ofList.name, value, text)) : [];
  const fields: readonly string[] = ['q', ...names, ...(own ? [own.name] : [])];
  const kept = Object.entries(chosen).filter(([name]) => !fields.includes(name));
  const hasMenus = names.length > 0 || ofList !== undefined;
  return html`<form class="search" role="search" method="get" action="${path}">
<label class="hide" for="q">${t.html(search)}</label>${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<div>${icon('search')}<input type="search" id="q" name="q" value="${query.search ?? ''}" maxlength="${maxSearch}" placeholder="${t.text(search)}">${ofList && menu(ofList.name, ofList.label, ofList.first, ownOptions)}${names.map(known)}<button type="submit">${t.html(hasMenus ? 'list.apply' : 'connected.search.button')}</button></div>
</form>`;
}

/** How much of a list is left, with the way back to all of it; nothing for the whole list. */
export function foundLine(t: Translator, listing: Listing, { total }: PageNumbers): Html | false {
  const { path, whole = {} } = listing;
  return (
    isNarrowed(listing) &&
    html`<p role="status">${t.html('list.found', { count: total })} <a href="${listAddress({ path, chosen: whole })}">${t.html('list.reset')}</a></p>`
  );
}

/** Beside the heading of a list: the same as a file. */
export function csvLink(t: Translator, href: string): Html {
  return html`<a class="button" href="${href}" aria-label="${t.text('list.csv')}">${icon('download')}CSV</a>`;
}

/** The links to the other pages of a list. */
export function listPages(t: Translator, listing: Listing, numbers: ShownPage): Html | false {
  return pageLinks(t, (page) => listAddress(listing, {}, page), numbers);
}

/** A page of a list: its numbers, and how many entries it has. */
type ShownPage = PageNumbers & { readonly length: number };

export function pageLinks(t: Translator, href: (page: number) => string, shown: ShownPage): Html | false {
  const { page, pages, total, length } = shown;
  if (pages === 1) return false;
  const to = page === pages ? total : page * length;
  const link = (rel: 'prev' | 'next', number: number, label: TextKey): Html =>
    html`<a class="button small" rel="${rel}" href="${href(number)}" aria-label="${t.text(label)}">${icon(rel === 'prev' ? 'back' : 'next')}</a>`;
  return html`<nav class="pages" aria-label="${t.text('pages.label')}"><span class="soft">${t.html('pages.place.of', { from: to - length + 1, to, total })}</span>
${page > 1 && link('prev', page - 1, 'pages.previous')}${page < pages && link('next', page + 1, 'pages.next')}
</nav>`;
}
