import type { AppRequests } from '../../../core/applications/request.ts';
import type { NamedLimit } from '../../../core/boundaries/limit-choices.ts';
import type { Connection, Connections, EndOfPerson } from '../../../core/connections/connection.ts';
import type { SchoolRolesFinder } from '../../../core/access/school-roles.ts';
import { personName } from '../../../host/member-profile.ts';
import { field, type Form } from '../../../http/body.ts';
import type { Route } from '../../../http/route.ts';
import { InvalidRequest } from '../../../kernel/errors.ts';
import { type ActivitySources, personActivity } from '../../../pages/activity/recent.ts';
import { maxId } from '../../../pages/activity/names.ts';
import { peoplePath, peopleUnder, requestsPath } from '../../../pages/kit/console.ts';
import { noticeOf, noticeQuery } from '../../../pages/kit/csrf-tokens.ts';
import { memberMessage } from '../../../pages/kit/error-page.ts';
import { listingIn } from '../../../pages/kit/lists.ts';
import { type Html, shortName, type Translator } from '../../../pages/kit/markup.ts';
import { confirmPage } from '../../../pages/kit/member-page.ts';
import { statusMessage } from '../../../pages/kit/notice.ts';
import {
  actOnClient,
  type MemberPageRequest,
  memberRoute,
  type MemberPagesOptions,
  type PageResult,
} from '../../../pages/kit/page-access.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import type { People } from '../../../core/connections/people.ts';
import { peopleListPage } from './list-page.ts';
import { peopleQuery, peopleQuestion } from '../../../pages/people/people-form.ts';
import { personPage, type ShownConnection, type ShownPerson } from './person-page.ts';
import { printPersonPage } from './print-page.ts';

export interface PeoplePagesOptions extends MemberPagesOptions, ActivitySources {
  readonly people: People;
  readonly connections: Connections;
  /** Ends what an administrator disconnects: one connection of a person, or all. */
  readonly endOfPerson: EndOfPerson;
  readonly schoolRoles: SchoolRolesFinder;
  readonly requests: AppRequests;
  /** The pages of OAuth applications, if they exist. */
  readonly applicationsPath: string | undefined;
}

type PeopleRequest = PeoplePagesOptions & MemberPageRequest;

/** People, for administrators: a list, and a page for each person. */
export function peopleRoutes(options: PeoplePagesOptions): Route[] {
  const kind = { audience: 'administrator', page: 'people', forbidden: 'forbidden.school' } as const;
  return [memberRoute(options, kind, peopleUnder, handle)];
}

async function handle(request: PeopleRequest): Promise<PageResult> {
  const { call, form, context } = request;
  const id = form ? field(form, 'person') : call.ctx.query['person'];
  if (typeof id !== 'string' || id === '') return showList(request);
  const person = id.length <= maxId ? await findPerson(request, id) : undefined;
  if (!person) return missing(request);
  if (form) return act(request, form, person);
  const { confirm, view } = call.ctx.query;
  if (confirm === 'all') {
    const { total } = await request.connections.list(context.site, id, { size: 1 });
    if (total > 0) return confirmAll(request, person, total);
  }
  if (view === 'print') {
    const all = await request.connections.list(context.site, id, { size: printed });
    return printPersonPage(context, person, await withLimits(request, person, all));
  }
  return showPerson(request, person);
}

/** Apps on one page, and on one piece of paper. */
const pageSize = 20;
const printed = 100;

/** So many of the requests of a person are shown. */
const maxRequests = 10;

async function showList(request: PeopleRequest): Promise<PageResult> {
  const { people, schoolRoles, kit, context, call } = request;
  const roles = await schoolRoles(context.site);
  const asked = peopleQuestion(call.ctx.query, roles);
  const canSearch = kit.platform.searchMembers !== undefined;
  const question = canSearch ? asked : { ...asked, q: '' };
  try {
    const page = await people.find(context.site, peopleQuery(question));
    return peopleListPage(context, { page, question, roles, canSearch });
  } catch (error) {
    // Anyone can type a place that no page had.
    if (error instanceof InvalidRequest) return peoplePath(context.path);
    throw error;
  }
}

/** A person of the school, or somebody who has left and still has connections. */
async function findPerson(
  { kit, connections, context }: PeopleRequest,
  memberId: string,
): Promise<ShownPerson | undefined> {
  const { site } = context;
  const member = await kit.platform.findMember(site, memberId);
  if (!member && (await connections.list(site, memberId, { size: 1 })).total === 0) return undefined;
  return { memberId, member, name: shortName(member ? personName(member) : memberId) };
}

async function showPerson(request: PeopleRequest, person: ShownPerson): Promise<PageBuilder> {
  const { connections, schoolRoles, requests, applicationsPath, context, call } = request;
  const { site } = context;
  const { memberId } = person;
  const { page } = listingIn({ page: call.ctx.query['page'] }, { path: context.path }).query;
  const hasRequests = site.connectionsEnabled && applicationsPath !== undefined;
  const [list, roles, asked, activity] = await Promise.all([
    connections.list(site, memberId, { page, size: pageSize }),
    schoolRoles(site),
    hasRequests ? requests.list(site, { memberId, size: maxRequests }) : [],
    personActivity(request, context, person),
  ]);
  const shown = await withLimits(request, person, list);
  return personPage(context, {
    person,
    roles,
    list,
    shown,
    requests: asked,
    requestsPath: hasRequests ? requestsPath(applicationsPath) : undefined,
    activity,
    done: doneBefore(request, person.name),
  });
}

/** What each connection is limited to, with names as far as the person has them. */
async function withLimits(
  { limits, context: { site } }: PeopleRequest,
  { member }: ShownPerson,
  list: readonly Connection[],
): Promise<readonly ShownConnection[]> {
  const named = async ({ only = {} }: Connection): Promise<readonly NamedLimit[]> =>
    member && Object.keys(only).length > 0 ? limits.named(site, member, only) : [];
  return Promise.all(list.map(async (connection) => ({ connection, limits: await named(connection) })));
}

function doneBefore(request: PeopleRequest, name: string): ((t: Translator) => Html | false) | undefined {
  const one = noticeOf(request, ['client']);
  if (one) return (t) => statusMessage(t, 'person.ended', { client: one.client, name });
  const all = noticeOf(request, ['count']);
  return all && ((t) => statusMessage(t, 'person.ended.all', { count: Number(all.count) }));
}

function confirmAll({ context }: PeopleRequest, { memberId, name }: ShownPerson, count: number): PageBuilder {
  return confirmPage(context, 'person.end.confirm', {
    values: { count, name },
    button: 'person.end.all',
    action: 'end-all',
    fields: { person: memberId },
    page: peoplePath(context.path, memberId),
  });
}

/** Each can be repeated: the second time nothing changes. */
async function act(request: PeopleRequest, form: Form, { memberId }: ShownPerson): Promise<string> {
  const { connections, endOfPerson, context } = request;
  const { site, path } = context;
  const page = peoplePath(path, memberId);
  const back = (values: Readonly<Record<string, string>>): string =>
    `${page}&${new URLSearchParams(noticeQuery(request, values)).toString()}`;
  const action = field(form, 'action');
  if (action === 'end-all') return back({ count: String(await endOfPerson(site, memberId)) });
  const id = field(form, 'id') ?? '';
  const connection = action === 'end' ? await connections.find(site, memberId, id) : undefined;
  if (!connection) return page;
  actOnClient(connection);
  await endOfPerson(site, memberId, id);
  return back({ client: shortName(connection.clientName) });
}

function missing({ context }: PeopleRequest): PageBuilder {
  const values = { school: context.site.name };
  const action = { text: 'person.back', href: peoplePath(context.path) } as const;
  return memberMessage(context, { title: 'missing.title', texts: ['person.missing'], values, status: 404, action });
}
