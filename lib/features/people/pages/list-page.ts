import type { SchoolRoles } from '../../../core/access/school-roles.ts';
import { peoplePath } from '../../../pages/kit/console.ts';
import { emptyState } from '../../../pages/kit/empty-state.ts';
import { icon } from '../../../pages/kit/icons.ts';
import { html, type Html, isolated, shortName, type Translator } from '../../../pages/kit/markup.ts';
import { memberPage, type MemberPageContext } from '../../../pages/kit/member-page.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import { rowLink, rowList } from '../../../pages/kit/row-link.ts';
import type { ConnectedPerson, PeoplePage } from '../../../core/connections/people.ts';
import { peopleForm, type PeopleQuestion, placeLinks } from '../../../pages/people/people-form.ts';
import { nameOfPerson, rolesLine } from '../../../pages/people/person-row.ts';

interface ListView {
  readonly page: PeoplePage;
  readonly question: PeopleQuestion;
  readonly roles: SchoolRoles;
  /** Whether people can be found by name. */
  readonly canSearch: boolean;
}

/** The people of a school who have connected something, or who are searched for. */
export function peopleListPage(context: MemberPageContext, view: ListView): PageBuilder {
  const { page, question, roles, canSearch } = view;
  const path = peoplePath(context.path);
  const school = context.site.name;
  const none = question.q === '' ? 'person.none' : 'person.none.found';
  return memberPage(context, {
    title: 'console.people',
    wide: true,
    body: (t) => html`
${question.q === '' && html`<p class="soft">${t.html('person.intro')}</p>`}
${peopleForm(t, { path, question, roles, canSearch })}
${page.people.length === 0 && page.next === undefined && emptyState({ icon: 'people', text: t.html(none, { school }) })}
${rowList(page.people.map((person) => row(t, context.path, person, roles)))}
${placeLinks(t, { path, question, shown: page.people.length, next: page.next })}`,
  });
}

/** So many apps of a person are named. */
const named = 3;

function row(t: Translator, path: string, person: ConnectedPerson, known: SchoolRoles): Html {
  const { connections, total, roles } = person;
  const names = [...new Set(connections.map(({ clientName }) => shortName(clientName)))];
  const others = total - Math.min(connections.length, named);
  const more = others > 0 ? [t.text('connected.row.more', { count: others })] : [];
  const apps = new Intl.ListFormat(t.language).format([...names.slice(0, named), ...more]);
  return rowLink(peoplePath(path, person.memberId), {
    tile: icon('person'),
    name: isolated(nameOfPerson(person)),
    hint: html`${rolesLine(t, known, roles)} · ${t.html('person.apps', { count: total, apps })}`,
  });
}
