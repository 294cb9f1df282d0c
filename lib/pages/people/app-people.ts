import type { NamedApp } from '../../core/apps/apps.ts';
import type { LimitChoices, NamedLimit } from '../../core/boundaries/limit-choices.ts';
import type { SchoolRoles } from '../../core/access/school-roles.ts';
import type { HostPlatform } from '../../host/checked-platform.ts';
import type { Site } from '../../host/school-platform.ts';
import type { RouteCall } from '../../http/route.ts';
import { InvalidRequest } from '../../kernel/errors.ts';
import { does } from '../kit/does.ts';
import { icon } from '../kit/icons.ts';
import { limitLine } from '../kit/limits.ts';
import { html, type Html, type Translator } from '../kit/markup.ts';
import { hiddenFields, type MemberPageContext } from '../kit/member-page.ts';
import { plainRow, rowList } from '../kit/row-link.ts';
import type { ConnectedPerson, People, PeoplePage } from '../../core/connections/people.ts';
import { peopleForm, peopleQuery, peopleQuestion, type PeopleQuestion, placeLinks } from './people-form.ts';
import { nameOfPerson, personLink, rolesLine } from './person-row.ts';

interface Sources {
  readonly people: People;
  readonly limits: LimitChoices;
  readonly kit: { readonly platform: HostPlatform };
  readonly context: MemberPageContext;
  readonly call: RouteCall;
}

/** Some people of an app. */
export interface AppPeople {
  readonly page: PeoplePage;
  readonly question: PeopleQuestion;
  readonly roles: SchoolRoles;
  readonly canSearch: boolean;
  readonly limitsOf: ReadonlyMap<string, readonly NamedLimit[]>;
}

/** Finds the people on a page of an app, as its address asks for them. */
export async function findAppPeople(sources: Sources, app: NamedApp, roles: SchoolRoles): Promise<AppPeople> {
  const { people, kit, context, call } = sources;
  const canSearch = kit.platform.searchMembers !== undefined;
  const asked = peopleQuestion(call.ctx.query, roles);
  const question = canSearch ? asked : { ...asked, q: '' };
  const find = (own: PeopleQuestion): Promise<PeoplePage> => people.find(context.site, { ...peopleQuery(own), app });
  // Anyone can type a place that no page had.
  const page = await find(question).catch((error: unknown) => {
    if (error instanceof InvalidRequest && question.cursor !== undefined) return undefined;
    throw error;
  });
  const shown = page ?? (await find({ ...question, cursor: undefined }));
  const limitsOf = await namedLimits(sources, context.site, shown.people);
  return { page: shown, question: page ? question : { ...question, before: 0 }, roles, canSearch, limitsOf };
}

/** What each of them has limited the app to: names for those who are at the school. */
async function namedLimits(
  { limits, kit }: Sources,
  site: Site,
  people: readonly ConnectedPerson[],
): Promise<ReadonlyMap<string, readonly NamedLimit[]>> {
  const limited = people.filter(({ connections }) => connections.some(({ only = {} }) => Object.keys(only).length > 0));
  const found = limited.map(async ({ memberId, connections }) => {
    const member = await kit.platform.findMember(site, memberId);
    const named = connections.map(async ({ only }) => (member && only ? limits.named(site, member, only) : []));
    return [memberId, (await Promise.all(named)).flat()] as const;
  });
  return new Map(await Promise.all(found));
}

interface AppPeopleView extends AppPeople {
  /** The address of the page of the app, and what of it stands in a query. */
  readonly path: string;
  readonly kept: Readonly<Record<string, string>>;
  /** How many people have connected it. */
  readonly total: number;
  /** What a form says to disconnect one person. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The people of an app, with a button for each. */
export function appPeople(t: Translator, context: MemberPageContext, view: AppPeopleView): Html {
  const { page, question, roles, canSearch, kept, total } = view;
  const list = { path: context.path, question, kept };
  return html`<section aria-labelledby="people"><h2 id="people">${t.html('apps.people', { count: total })}</h2>
${total > 0 && peopleForm(t, { ...list, roles, canSearch })}
${total > 0 && page.people.length === 0 && html`<p role="status">${t.html('list.found', { count: 0 })}</p>`}
<form method="post" action="${view.path}">${hiddenFields(context, { ...view.fields, action: 'end-person' })}
${rowList(page.people.map((person) => row(t, context.path, view, person)))}</form>
${placeLinks(t, { ...list, shown: page.people.length, next: page.next, total })}</section>`;
}

function row(
  t: Translator,
  appsPath: string,
  { roles: known, limitsOf }: AppPeopleView,
  person: ConnectedPerson,
): Html {
  const { memberId, connections, roles } = person;
  const scopes = [...new Set(connections.flatMap((each) => each.scopes))];
  const used = Math.max(...connections.map(({ lastUsedAt = 0 }) => lastUsedAt));
  const name = nameOfPerson(person);
  const limits = limitLine(t, limitsOf.get(memberId) ?? []);
  const ids = connections.map(({ id }) => id);
  return plainRow(
    {
      tile: icon('person'),
      name: personLink(appsPath, person),
      hint: html`${rolesLine(t, known, roles)} · ${does(t, scopes)} · ${used > 0 ? t.html('person.used', { date: t.nearDate(used) }) : t.html('person.unused')}${limits}`,
    },
    html`<button type="submit" name="one" value="${endValue(memberId, ids)}" aria-label="${t.text('person.end.of', { client: name })}">${t.html('person.end')}</button>`,
  );
}

/** What a button says of whom it disconnects from what. The ids of connections have no space. */
function endValue(memberId: string, ids: readonly string[]): string {
  return [encodeURIComponent(memberId), ...ids].join(' ');
}

/** The same as it was sent. */
export function endedIn(value: string): { readonly memberId: string; readonly ids: readonly string[] } {
  const [memberId = '', ...ids] = value.split(' ');
  try {
    return { memberId: decodeURIComponent(memberId), ids: ids.slice(0, maxConnections) };
  } catch {
    return { memberId: '', ids: [] };
  }
}

/** So many connections of one person to one app are in a row. */
const maxConnections = 20;
