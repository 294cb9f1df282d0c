import type { ConnectedClient } from '../../../core/clients/listed-client.ts';
import type { Route } from '../../../http/route.ts';
import { isPairwise as isPairwiseClient } from '../../../core/clients/subjects.ts';
import { field, type Form } from '../../../http/body.ts';
import { NoSuchApp } from '../../../core/access/school-apps.ts';
import type { TextKey } from '../../../i18n/texts.ts';
import { type ActivitySources, recentActivity } from '../../../pages/activity/recent.ts';
import { memberMessage } from '../../../pages/kit/error-page.ts';
import type { ConsentPreview } from '../../../pages/consent-preview.ts';
import { namedConflict } from '../../../pages/kit/conflict.ts';
import { VersionConflict } from '../../../core/clients/expected-version.ts';
import { noticeOf, noticeQuery } from '../../../pages/kit/csrf-tokens.ts';
import { confirmPage } from '../../../pages/kit/member-page.ts';
import { actOnClient, type MemberPageRequest, memberRoute, type PageResult } from '../../../pages/kit/page-access.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import { shortName } from '../../../pages/kit/markup.ts';
import type { AppKind } from '../../../pages/kit/tile.ts';
import type { AppFinder } from '../domain/all-apps.ts';
import type { AppManager } from '../domain/apps.ts';
import type { CountedPeople } from '../domain/rule-reach.ts';
import { withReview } from '../domain/seen-version.ts';
import type { UnusedCounter } from '../domain/unused-count.ts';
import type { UsedAppFinder } from '../domain/used-apps.ts';
import type { WaitingCounter } from '../domain/waiting-count.ts';
import { appPage, type AppNotice, type StaleDecision } from './app-page.ts';
import { type AllowAppOptions, allowAppPage, lookUpApp } from './allow-app.ts';
import { appListing, appQuery, appsPage, isOfUsed, type ShownApps } from './apps-page.ts';
import { decide, type DecideOptions, overtakenAttempt, resetPerson } from './decide.ts';
import { type Decidable, type DecisionAttempt, decisionView, targetOf } from './decision-view.ts';
import { appsFile } from './downloads.ts';
import { type Listing, listingIn } from '../../../pages/kit/lists.ts';
import { inParts } from '../../../kernel/in-parts.ts';
import { pageOf } from '../../../core/clients/paging.ts';
import { reviewsPage } from './reviews-page.ts';
import { requestsPath, targetPath } from '../../../pages/kit/console.ts';
import { confirmUnused, endUnused, type UnusedOptions } from './unused.ts';
import { describeClient } from '../../../core/clients/client-metadata.ts';
import type { AppTarget } from '../../../core/access/app-rule.ts';
import type { SchoolRoles } from '../../../core/access/school-roles.ts';
import type { ListedApp } from '../../../core/apps/apps.ts';
import { namedApp } from '../../../core/apps/named-app.ts';
import { personName } from '../../../host/member-profile.ts';
import type { People } from '../../../core/connections/people.ts';
import { endedIn, findAppPeople } from '../../../pages/people/app-people.ts';
import type { EndOfPerson } from '../../../core/connections/connection.ts';
import type { Site } from '../../../host/school-platform.ts';
import { splitScope } from '../../../core/scopes/scopes.ts';

export interface SchoolConnectionsOptions extends UnusedOptions, DecideOptions, AllowAppOptions, ActivitySources {
  /** A client that people have connected, or that has a rule. */
  readonly findClient: (site: Site, clientId: string) => Promise<ConnectedClient | undefined>;
  readonly findListed: AppManager['findListed'];
  readonly appFacts: AppManager['appFacts'];
  readonly countByRole: AppManager['countByRole'];
  readonly allApps: AppFinder;
  readonly usedApps: UsedAppFinder;
  readonly countWaiting: WaitingCounter;
  readonly countUnused: UnusedCounter;
  readonly people: People;
  readonly endOfPerson: EndOfPerson;
  readonly preview: ConsentPreview;
  /** The pages of OAuth applications, if they exist. */
  readonly applicationsPath: string | undefined;
}

type SchoolRequest = SchoolConnectionsOptions & MemberPageRequest;

/** Nothing leads to applications that the school has not enabled. */
function applicationsOf({ applicationsPath, context }: SchoolRequest): string | undefined {
  return context.site.connectionsEnabled ? applicationsPath : undefined;
}

/** Apps, for administrators: all that people can connect at the school in one list, and a page for each. */
export function schoolConnectionRoutes(options: SchoolConnectionsOptions): Route[] {
  const kind = { audience: 'administrator', page: 'connections', forbidden: 'forbidden.school' } as const;
  return [memberRoute(options, kind, '', (request) => (request.form ? act(request, request.form) : show(request)))];
}

interface SchoolClient extends Decidable {
  readonly client: ConnectedClient;
  readonly isPairwise: boolean;
}

async function show(request: SchoolRequest): Promise<PageResult> {
  const { context, call } = request;
  const { client: clientId, app, review, confirm, done, view } = call.ctx.query;
  if (review === 'waiting') return showReviews(request);
  if (typeof app === 'string') {
    const listed = await findApp(request, app);
    return listed ? showApp(request, { listed, done }) : missing(request);
  }
  if (view === 'allow') return allowAppPage(context);
  if (confirm === 'unused') {
    readsEverything(request);
    return (await confirmUnused(request, await listingOf(request))) ?? showList(request, 'unused.none');
  }
  if (typeof clientId !== 'string') return showList(request);
  const found = await findClient(request, clientId);
  if (!found) return missing(request);
  const pagePath = targetPath(context.path, { clientId });
  if (view === 'consent') return (await request.preview(context, clientId, pagePath)) ?? missing(request);
  if (confirm === 'end') {
    const { clientName, people } = found.client;
    const values = { client: shortName(clientName), count: people };
    const fields = { client: clientId };
    const button = 'school.end';
    return confirmPage(context, `${button}.confirm`, { values, button, action: confirm, fields, page: pagePath });
  }
  return showApp(request, { ...found, done });
}

async function showApp(
  request: SchoolRequest,
  view: Decidable & AppNotice & { readonly attempt?: DecisionAttempt },
): Promise<PageBuilder> {
  const { context } = request;
  const { listed, client } = view;
  const filter = listed.clientId === undefined ? { app: listed.app } : { client: listed.clientId };
  const [decision, activity] = await Promise.all([
    decisionView(request, view),
    recentActivity(request, context, filter),
  ]);
  const kind = await kindOf(request, listed, client);
  const named = namedApp(targetOf(listed));
  const [people, connected] = await Promise.all([
    kind.audience === 'service' ? undefined : findAppPeople(request, named, decision.roles),
    connectedPeople(request, listed, decision.roles),
  ]);
  return appPage(context, {
    ...view,
    ...decision,
    connected,
    client,
    kind,
    activity,
    effect: noticeOf(request, ['ended', 'later']),
    appPeople: people,
    disconnected: noticeOf(request, ['disconnected'])?.disconnected,
    applicationsPath: applicationsOf(request),
  });
}

/** Nothing while nobody is connected. */
async function connectedPeople(
  { countByRole, context }: SchoolRequest,
  listed: ListedApp,
  { roles }: SchoolRoles,
): Promise<CountedPeople | undefined> {
  const { people: total } = listed;
  if (total === 0 || roles.length === 0) return undefined;
  return countByRole(context.site, targetOf(listed), { total, roles: roles.map(({ role }) => role) });
}

async function kindOf(
  { appFacts, context }: SchoolRequest,
  { app, clientName: name }: ListedApp,
  client: ConnectedClient | undefined,
): Promise<AppKind> {
  if (!client) return { clientName: name, ...(app !== undefined && (await appFacts(context.site, app))) };
  const { source, audience, host, firstParty, clientName, app: known } = client;
  return { source, audience, host, firstParty, clientName, known };
}

async function listingOf(request: SchoolRequest): Promise<Listing> {
  return appListing(request.path, request.call.ctx.query, await request.schoolRoles(request.context.site));
}

async function showList(request: SchoolRequest, done?: TextKey): Promise<PageResult> {
  const { schoolRoles, allApps, countWaiting, countUnused, context, call } = request;
  const { site } = context;
  const roles = await schoolRoles(site);
  const listing = appListing(request.path, request.call.ctx.query, roles);
  if (call.ctx.query['format'] === 'csv') {
    const { apps } = await allApps(site, { ...appQuery(listing), page: undefined, size: undefined });
    return appsFile(inParts(apps));
  }
  const isFirst = isOfUsed(listing);
  const [shown, waiting, unused] = await Promise.all([
    shownApps(request, listing),
    isFirst ? countWaiting.count(site) : 0,
    isFirst ? countUnused(site) : 0,
  ]);
  if (typeof shown === 'string') return shown;
  const developers = applicationsOf(request);
  const requests = developers === undefined ? undefined : requestsPath(developers);
  const attention = isFirst ? { waiting, unused, requestsPath: requests } : undefined;
  return appsPage(context, { shown, attention, listing, roles, done, unused: noticeOf(request, ['ended', 'of']) });
}

/** The apps in use, or a page of all that was asked for. */
async function shownApps(request: SchoolRequest, listing: Listing): Promise<ShownApps | string> {
  const { allApps, usedApps, context, call } = request;
  const { site, path } = context;
  if (isOfUsed(listing)) {
    const { after: place } = call.ctx.query;
    const after = typeof place === 'string' ? place.slice(0, maxPlace) : '';
    const used = await usedApps(site, after);
    // They have been disconnected since the page before was shown.
    return after !== '' && used.apps.length === 0 ? path : { ...used, after };
  }
  readsEverything(request);
  const { apps, counts } = await allApps(site, appQuery(listing));
  const { page, size } = listing.query;
  const found = await pageOf({ keys: apps, read: async (some) => some }, { page, size });
  return { apps: found, found: { page: found.page, pages: found.pages, total: found.total, counts } };
}

/** More characters than a place in the order of the store has. */
const maxPlace = 8192;

/** What looks at all clients of a school counts as so many pages. */
const pagesOfSearch = 10;

/** @throws OAuthError `slow_down` for who has opened too many pages in an hour */
function readsEverything({ kit, context: { site, member } }: SchoolRequest): void {
  kit.limitPages(site, member.id, pagesOfSearch - 1);
}

async function showReviews(request: SchoolRequest): Promise<PageBuilder> {
  const { documents, context, path, call } = request;
  const { page } = call.ctx.query;
  const list = await documents.list(context.site, { waiting: true, ...listingIn({ page }, { path }).query });
  return reviewsPage(context, list);
}

/** Anyone can type an address. */
async function findApp(request: SchoolRequest, id: string): Promise<ListedApp | undefined> {
  const { apps, context } = request;
  readsEverything(request);
  try {
    return await apps.find(context.site, id);
  } catch (error) {
    if (error instanceof NoSuchApp) return undefined;
    throw error;
  }
}

async function findClient(
  { findClient: findConnected, clients, documents, findListed, context }: SchoolRequest,
  clientId: string,
): Promise<SchoolClient | undefined> {
  const { site } = context;
  const [connected, document, decided, own] = await Promise.all([
    findConnected(site, clientId),
    documents.find(site, clientId),
    findListed(site, { clientId }),
    clients(site.id, clientId, 'identify'),
  ]);
  const isPairwise = own !== undefined && isPairwiseClient(own);
  const listed = document ? withReview(decided, document) : decided;
  if (connected) return { client: connected, document, listed, isPairwise };
  const { people, status } = listed;
  if (!document) {
    // What the platform has set up or the school has added is an app before anybody connects it.
    const described = own && describeClient(clientId, own);
    if (!described || !['static', 'application'].includes(described.source)) return undefined;
    const client = { ...described, scopes: splitScope(own.scope), redirectUris: own.redirect_uris ?? [] };
    return { client: { ...client, people, status }, listed, isPairwise };
  }
  const { clientName = clientId, app } = document;
  const shared = { source: 'document', firstParty: false, audience: 'operator', people } as const;
  const described = { clientId, clientName, host: URL.parse(clientId)?.host, app, ...shared };
  return { client: { ...described, scopes: [], redirectUris: [], status }, document, listed, isPairwise };
}

/** Each of these can be repeated: the second time nothing changes. */
async function act(request: SchoolRequest, form: Form): Promise<PageResult> {
  const { connections, context } = request;
  const { site } = context;
  const clientId = field(form, 'client') ?? '';
  const action = field(form, 'action');
  const app = field(form, 'app');
  if (app !== undefined) return actOnApp(request, form, app);
  if (action === 'look-up') return lookUpApp(request, form);
  if (action === 'end-unused') {
    readsEverything(request);
    return endUnused(request, form, await listingOf(request));
  }
  const found = await findClient(request, clientId);
  if (!found) return missing(request);
  actOnClient(found.client);
  const page = targetPath(context.path, { clientId });
  if (action === 'end-person') return endPerson(request, form, { clientId });
  if (action === 'end') {
    await connections.end(site, { app: { clientId } });
    return `${page}&done=ended`;
  }
  try {
    const result = await actOnDecision(request, form, found);
    // A client that was blocked and never connected is gone after the decision on it was removed.
    return typeof result === 'string' && !(await findClient(request, clientId)) ? context.path : result;
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error;
    const current = await findClient(request, clientId);
    if (!current) return missing(request);
    return showOvertaken(request, form, current, error);
  }
}

/** Ends the connections of one person with an app, for the administrator. */
async function endPerson(request: SchoolRequest, form: Form, target: AppTarget): Promise<string> {
  const { connections, endOfPerson, kit, context } = request;
  const { site, path } = context;
  const { memberId, ids } = endedIn(field(form, 'one') ?? '');
  const page = targetPath(path, target);
  let ended = 0;
  for (const id of ids) {
    const connection = await connections.find(site, memberId, id);
    if (!connection) continue;
    actOnClient(connection);
    ended += await endOfPerson(site, memberId, id);
  }
  if (ended === 0) return page;
  const member = await kit.platform.findMember(site, memberId);
  const disconnected = shortName(member ? personName(member) : memberId);
  return `${page}&${new URLSearchParams(noticeQuery(request, { disconnected })).toString()}`;
}

async function actOnApp(request: SchoolRequest, form: Form, app: string): Promise<PageResult> {
  const listed = await findApp(request, app);
  if (!listed) return missing(request);
  if (field(form, 'action') === 'end-person') return endPerson(request, form, { app });
  try {
    return await actOnDecision(request, form, { listed });
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error;
    const current = await findApp(request, app);
    if (!current) return missing(request);
    return showOvertaken(request, form, { listed: current }, error);
  }
}

/** As it is now, with what was entered. */
async function showOvertaken(
  request: SchoolRequest,
  form: Form,
  current: Decidable,
  error: VersionConflict,
): Promise<PageBuilder> {
  const [stale, attempt] = await Promise.all([
    staleIn(request, error),
    overtakenAttempt(request, form, current, error),
  ]);
  return showApp(request, { ...current, done: '', stale, attempt });
}

async function staleIn({ kit, context }: SchoolRequest, error: VersionConflict): Promise<StaleDecision> {
  const { difference, decided } = error;
  return difference === 'decision' ? namedConflict(kit.platform, context, decided) : difference;
}

async function actOnDecision(request: SchoolRequest, form: Form, decidable: Decidable): Promise<PageResult> {
  const action = field(form, 'action');
  if (action === 'rule')
    return decide(request, form, decidable, (attempt) => showApp(request, { ...decidable, done: '', attempt }));
  if (action === 'reset-person') return resetPerson(request, form, decidable);
  return targetPath(request.context.path, targetOf(decidable.listed));
}

function missing({ path, context }: SchoolRequest): PageBuilder {
  const values = { school: context.site.name };
  const action = { text: 'apps.back', href: path } as const;
  return memberMessage(context, { title: 'missing.title', texts: ['review.missing'], values, status: 404, action });
}
