import type { ParsedUrlQuery } from 'node:querystring';
import type { SchoolRoles } from '../../core/access/school-roles.ts';
import { icon } from '../kit/icons.ts';
import { html, type Html, type Translator } from '../kit/markup.ts';
import { roleName } from '../kit/role-name.ts';
import type { PeopleQuery } from '../../core/connections/people.ts';

/** What an address asks of the people of a school or of an app. */
export interface PeopleQuestion {
  readonly q: string;
  readonly role: string | undefined;
  readonly cursor: string | undefined;
  /** How many stand on the pages before. */
  readonly before: number;
}

const maxSearch = 100;
/** More characters than a place in the order of the store has. */
const maxCursor = 8192;

export function peopleQuestion({ q, role, cursor, before }: ParsedUrlQuery, { roles }: SchoolRoles): PeopleQuestion {
  return {
    q: typeof q === 'string' ? q.slice(0, maxSearch).trim() : '',
    role: roles.find((each) => each.role === role)?.role,
    cursor: typeof cursor === 'string' && cursor.length <= maxCursor ? cursor : undefined,
    before: typeof before === 'string' && /^\d{1,6}$/.test(before) ? Number(before) : 0,
  };
}

/** The same for `campus.people.find`. */
export function peopleQuery({ q, role, cursor }: PeopleQuestion): PeopleQuery {
  return { role, cursor, ...(q !== '' && { search: q }) };
}

interface PeopleForm {
  readonly path: string;
  readonly question: PeopleQuestion;
  readonly roles: SchoolRoles;
  readonly canSearch: boolean;
  /** What else the address of the page has. @default nothing */
  readonly kept?: Readonly<Record<string, string>> | undefined;
}

/** The search, where the platform finds people by name, and the roles. */
export function peopleForm(t: Translator, { path, question, roles, canSearch, kept = {} }: PeopleForm): Html | false {
  if (!canSearch && roles.roles.length === 0) return false;
  const option = ({ role }: { readonly role: string }): Html =>
    html`<option value="${role}"${question.role === role && html` selected`}>${roleName(roles, role)}</option>`;
  return html`<form class="search" role="search" method="get" action="${path}">
${Object.entries(kept).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${canSearch && html`<label class="hide" for="people-q">${t.html('person.search')}</label>`}
<div>${canSearch && html`${icon('search')}<input type="search" id="people-q" name="q" value="${question.q}" maxlength="${maxSearch}" placeholder="${t.text('person.search')}">`}${roles.roles.length > 0 && html`<label class="narrow"><span class="hide">${t.html('person.role')}</span><select name="role"><option value="">${t.text('apps.role.any')}</option>${roles.roles.map(option)}</select></label>`}<button type="submit">${t.html('list.apply')}</button></div>
</form>`;
}

interface Place {
  readonly path: string;
  readonly question: PeopleQuestion;
  readonly shown: number;
  readonly next: string | undefined;
  /** How many there are in all, where that is known. */
  readonly total?: number | undefined;
  readonly kept?: Readonly<Record<string, string>> | undefined;
}

/** Which of them are shown, and the way to the next. The store knows where the next page begins, and not how many there are. */
export function placeLinks(t: Translator, { path, question, shown, next, total, kept = {} }: Place): Html | false {
  const { q, role, before } = question;
  const chosen = { ...kept, ...(q !== '' && { q }), ...(role !== undefined && { role }) };
  const address = (more: Readonly<Record<string, string>>): string =>
    `${path}?${new URLSearchParams({ ...chosen, ...more }).toString()}`;
  if (before === 0 && next === undefined) return false;
  const place = { from: shown === 0 ? before : before + 1, to: before + shown };
  const isCounted = total !== undefined && q === '' && role === undefined;
  const position = isCounted ? t.html('pages.place.of', { ...place, total }) : t.html('pages.place', place);
  return html`<nav class="pages" aria-label="${t.text('pages.label')}"><span class="soft">${position}</span>
${before > 0 && html`<a class="button small" href="${address({})}">${t.html('pages.first')}</a>`}
${next !== undefined && html`<a class="button small" rel="next" href="${address({ cursor: next, before: `${before + shown}` })}" aria-label="${t.text('pages.next')}">${icon('next')}</a>`}
</nav>`;
}
