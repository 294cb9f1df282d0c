import { type Only, undeclaredIn } from '../../../core/boundaries/boundary.ts';
import {
  isLimitSearch,
  type LimitChoices,
  type LimitRefusal,
  withProblem,
} from '../../../core/boundaries/limit-choices.ts';
import type { Connection, Connections } from '../../../core/connections/connection.ts';
import type { EmailAccess } from '../../../core/access/email-access.ts';
import type { Scope } from '../../../core/scopes/scopes.ts';
import type { ConnectRequests } from '../../../core/applications/request.ts';
import type { Site } from '../../../host/school-platform.ts';
import type { News } from '../../../core/news/news.ts';
import type { NewsItem } from '../../../core/news/news-item.ts';
import type { McpEndpoint } from '../../../plugin-contract/plugin.ts';
import { personName } from '../../../host/member-profile.ts';
import { setUpApps } from '../../../pages/set-up/apps.ts';
import { endpointFor, setUpAddress } from '../../../pages/set-up/steps.ts';
import { connectionNews, type PersonalNews } from '../domain/news.ts';
import type { Route } from '../../../http/route.ts';
import { field, type Form } from '../../../http/body.ts';
import { epochSeconds } from '../../../kernel/clock.ts';
import { findLimits } from '../../../pages/activity/limits.ts';
import { type EventSources, ownActivity, ownEvents } from '../../../pages/activity/recent.ts';
import { VersionConflict, type ExpectedVersion } from '../../../core/clients/expected-version.ts';
import { type Conflict, namedConflict } from '../../../pages/kit/conflict.ts';
import { memberMessage } from '../../../pages/kit/error-page.ts';
import { confirmPage } from '../../../pages/kit/member-page.ts';
import { noticeAddress, noticeOf } from '../../../pages/kit/csrf-tokens.ts';
import {
  actOnClient,
  type MemberPageRequest,
  memberRoute,
  type MemberPagesOptions,
  type PageResult,
} from '../../../pages/kit/page-access.ts';
import { targetPath } from '../../../pages/kit/console.ts';
import { listingIn } from '../../../pages/kit/lists.ts';
import { type AlwaysOpen, openFor } from '../../../pages/kit/always-sees.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import { choosable } from '../../../pages/kit/permissions.ts';
import { shortName } from '../../../pages/kit/markup.ts';
import type { DemandedLimits } from '../domain/demanded-limits.ts';
import type { LeftByRulesFinder } from '../domain/left-by-rules.ts';
import { appLimits, decidesLimits, limitsIn } from './app-limits.ts';
import { appPage, type RefusedChoice } from './app-page.ts';
import { confirmEndPage, type Ended, endedPage } from './end-pages.ts';
import { listPage } from './list-page.ts';
import { printPage } from './print-page.ts';

interface YourAppsOptions extends MemberPagesOptions, EventSources {
  readonly connections: Connections;
  readonly limits: LimitChoices;
  readonly demandedLimits: DemandedLimits;
  readonly leftByRules: LeftByRulesFinder;
  readonly requests: ConnectRequests;
  /** Where a person sees what they have asked for. @default there is no such page */
  readonly requestsPath: string | undefined;
  /** How to connect an assistant. @default there are no tools */
  readonly connectPath: string | undefined;
  /** Where the tools are served. */
  readonly endpoints: readonly McpEndpoint[];
  /** Where administrators decide on apps. @default there is no such page */
  readonly appsPath: string | undefined;
  readonly news: News;
  readonly personalNews: PersonalNews;
  readonly open: AlwaysOpen;
  readonly emailAccess: EmailAccess;
  /** How long an access token lasts: within that time an app has what it is given. */
  readonly accessSeconds: (site: Site) => number;
}

type YourAppsRequest = YourAppsOptions & MemberPageRequest;

/** A member's connected apps: what each may do, and how to take that away. */
export function yourAppsRoutes(options: YourAppsOptions): Route[] {
  const kind = { audience: 'member', page: 'yourApps', forbidden: 'forbidden.member' } as const;
  return [memberRoute(options, kind, '', all), memberRoute(options, kind, '/:id', (request) => one(request))];
}

/** So many of the requests that the person waits for are in their list. */
const maxWaiting = 10;

async function all(request: YourAppsRequest): Promise<PageResult> {
  const { connections, limits, requests, requestsPath, connectPath, path, context, form } = request;
  const { site, member } = context;
  const { query } = request.call.ctx;
  const listing = listingIn(query, { path, search: 'connected.search' });
  // Any other form ends nothing.
  if (form && field(form, 'action') === 'end-all') return disconnectAll(request);
  if (form && field(form, 'action') === 'ok') return dismiss(request, field(form, 'id') ?? '');
  const isFirst = listing.query.page === 1 && listing.query.search === '';
  const [found, asked] = await Promise.all([
    connections.list(site, member.id, listing.query),
    isFirst && requestsPath !== undefined ? requests.ofMember(site, member) : [],
  ]);
  if (query['confirm'] === 'all' && found.total > 0) {
    const confirmation = { button: 'connected.end.all', action: 'end-all', page: path } as const;
    return confirmPage(context, 'connected.confirm', { values: { count: found.total }, ...confirmation });
  }
  const ended = await allEndedBefore(request);
  const waiting = asked.filter(({ status }) => status === 'open').slice(0, maxWaiting);
  // Without the names, the list is still where people disconnect.
  const [limited, left] = await Promise.all([
    limits.named(site, member, limitsTogether(found)).catch(() => []),
    request.leftByRules(
      site,
      member,
      found.map(({ id }) => id),
    ),
  ]);
  const refused = isFirst ? await request.personalNews.refused(site, found) : [];
  const news = [...refused, ...context.console.news];
  const isOver = new Set(refused.map(({ id }) => id));
  const view = {
    limits: limited,
    left,
    listing,
    ended,
    waiting,
    requestsPath,
    connectPath,
    isOver: (id: string) => isOver.has(`${connectionNews}${id}`),
  };
  const counted = { ...context, console: { ...context.console, news } };
  return listPage(counted, { ...view, list: found, news: isFirst ? await newsView(request, news) : undefined });
}

/** The limits of all, so that each type is asked once. */
function limitsTogether(connections: readonly Connection[]): Only {
  const types = connections.flatMap(({ only = {} }) => Object.entries(only));
  const byType = Map.groupBy(types, ([type]) => type);
  return Object.fromEntries([...byType].map(([type, own]) => [type, [...new Set(own.flatMap(([, ids]) => ids))]]));
}

/** With the names of who has answered: one for each row at most. */
async function newsView({ kit, context, endpoints, requestsPath }: YourAppsRequest, items: readonly NewsItem[]) {
  const ids = [...new Set(items.flatMap(({ request }) => request?.by ?? []))];
  const find = async (id: string) => [id, await kit.platform.findMember(context.site, id)] as const;
  const people = new Map(await Promise.all(ids.map(find)));
  const operators = endpointFor(endpoints, 'operator');
  return {
    items,
    nameOf: (id: string) => {
      const found = people.get(id);
      return found && personName(found);
    },
    connectPathOf: ({ request }: NewsItem) =>
      request?.connects !== undefined && operators && setUpApps.some(({ id }) => id === request.app)
        ? setUpAddress(operators, request.app)
        : requestsPath,
  };
}

/** The person has read a row. A connection that a decision has left to its next refresh, and refuses, ends now. */
async function dismiss(request: YourAppsRequest, id: string): Promise<string> {
  const { connections, personalNews, news, path, context } = request;
  const { site, member } = context;
  if (id.startsWith(connectionNews)) {
    const connection = await connections.find(site, member.id, id.slice(connectionNews.length));
    const [refused] = connection ? await personalNews.refused(site, [connection]) : [];
    if (connection && refused) await connections.revoke(site, member.id, connection.id);
    return path;
  }
  const item = (await personalNews.of(site, member)).find((each) => each.id === id);
  if (item) await news.replace(site.id, member.id, id, item.request && { what: 'seen', at: epochSeconds() });
  return path;
}

async function disconnectAll(request: YourAppsRequest): Promise<string> {
  const { connections, path, context } = request;
  const count = await connections.revokeAll(context.site, context.member.id);
  return noticeAddress(path, request, { count: String(count) });
}

/** How many the previous request has ended, unless one has been connected again. */
async function allEndedBefore(request: YourAppsRequest): Promise<number | undefined> {
  const { connections, context } = request;
  const { site, member } = context;
  const every = noticeOf(request, ['count']);
  if (!every || (await connections.list(site, member.id, { size: 1 })).total > 0) return undefined;
  return Number(every.count);
}

async function one(request: YourAppsRequest, conflict?: Conflict): Promise<PageResult> {
  const { connections, kit, limits, demandedLimits, findEvents, tools, path, context, form } = request;
  const { site, member } = context;
  const { id, ctx } = request.call;
  const connection = await connections.find(site, member.id, id);
  if (!connection) return withoutConnection(request);
  actOnClient(connection);
  const action = form && field(form, 'action');
  if (action === 'end') return disconnect(request, connection);
  if (form && action === 'end-device') return endFamily(request, form, connection);
  if (!form && ctx.query['confirm'] === 'end') return confirmEndPage(context, connection);
  const open = await openFor(request.open, () => request.emailAccess({ ...connection, site, member }));
  if (!form && ctx.query['view'] === 'print') {
    const named = connection.only ? await limits.named(site, member, connection.only) : [];
    return printPage(context, { connection, open, limits: named });
  }
  const page = await findEvents?.(site, { member: member.id, client: connection.clientId });
  const log = page?.events;
  const found = await findLimits(
    { platform: kit.platform, limits },
    site,
    ownEvents(member.id, connection.clientId, log),
  );
  const activity = findEvents && ownActivity(context, connection, log, { tools, limits: found });
  const demanded = await demandedLimits(site, member, connection.clientId);
  const removedLimit = undeclaredIn(limits.declared, connection.only) !== undefined;
  const givable = await connections.givable(site, member.id, id);
  const app = { site, member, demanded, connection, givable };
  const shownLimits = await appLimits(limits, app);
  const accessSeconds = request.accessSeconds(site);
  const changePath =
    kit.access.mayDecide(member) && request.appsPath !== undefined
      ? targetPath(request.appsPath, connection)
      : undefined;
  const seen = { connection, open, changePath, givable, log, activity, removedLimit };
  const shown = { ...seen, limits: shownLimits, accessSeconds };
  if (!form) {
    const saved = noticeOf(request, ['removed', 'added', 'limited']);
    const [removed, added] = [Number(saved?.removed ?? 0), Number(saved?.added ?? 0)];
    const signedOut = noticeOf(request, ['device'])?.device;
    return appPage(context, { ...shown, removed, added, signedOut, limited: saved?.limited === '1', conflict });
  }
  const ticked = ticksOf(form);
  // A form of another release.
  if (action !== undefined) return appPage(context, { ...shown, problem: 'limits.problem.changed' });
  const again = async (refusal?: LimitRefusal): Promise<PageBuilder> => {
    const chosen = await appLimits(limits, app, form);
    const drawn = refusal ? withProblem(chosen, refusal) : chosen;
    return appPage(context, { ...shown, limits: drawn, limitProblem: refusal, ticked });
  };
  if (isLimitSearch(field(form, 'select'))) return again();
  const change = changeIn(form, connection, givable);
  if ('problem' in change) return appPage(context, { ...shown, ticked, refused: change.problem });
  const { removed, added } = change;
  const kept = connection.scopes;
  const { isAsked, isChanged } = decidesLimits(shownLimits, limits, form, { kept, added });
  // The form is of a page from before a permission was given, and so are its limits.
  const isLate = ticksIn(form, 'add').length > added.length;
  if (isChanged && isLate) return appPage(context, { ...shown, ticked, problem: 'limits.problem.changed' });
  const question = { site, member, demanded, scopes: [...kept, ...added] };
  const chosen = isAsked ? await limitsIn(limits, question, form) : undefined;
  if (chosen?.refusal) return again(chosen.refusal);
  return onCurrent(request, async () => {
    // What is added first can be all that is left.
    const widened = await connections.widen(site, member.id, id, added, chosen?.only, seenIn(form));
    if (!widened || !(await connections.narrow(site, member.id, id, removed))) return missingPage(request);
    return noticeAddress(`${path}/${id}`, request, {
      removed: String(removed.length),
      added: String(added.filter((scope) => widened.scopes.includes(scope)).length),
      limited: isChanged ? '1' : '0',
    });
  });
}

/** The version that a form of our page has. */
function seenIn(form: Form): ExpectedVersion {
  return { version: field(form, 'version') };
}

/** The form of a page from before another change gives nothing: the page says so, as it is now. */
async function onCurrent(request: YourAppsRequest, change: () => Promise<PageResult>): Promise<PageResult> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error;
    const conflict = await namedConflict(request.kit.platform, request.context, error.decided);
    return one({ ...request, form: undefined }, conflict);
  }
}

interface PermissionChange {
  readonly removed: readonly Scope[];
  readonly added: readonly Scope[];
}

/** What a form takes away and gives. Its two lists have fields of their own: what a form shows as given, it does not give again. */
function changeIn(
  form: Form,
  { scopes }: Connection,
  givable: readonly Scope[],
): PermissionChange | { readonly problem: RefusedChoice } {
  const ticked = ticksOf(form);
  const wanted = ticksIn(form, 'add');
  const added = wanted.filter((scope) => !scopes.includes(scope));
  if (added.some((scope) => !givable.includes(scope))) return { problem: 'connected.more.gone' };
  const removed = choosable(scopes).filter((scope) => !ticked.has(scope));
  const left = scopes.length - removed.length + added.length;
  return removed.length > 0 && left === 0 ? { problem: 'connected.keep.none' } : { removed, added };
}

function ticksOf(form: Form): ReadonlySet<string> {
  return new Set([...ticksIn(form, 'scope'), ...ticksIn(form, 'add')]);
}

function ticksIn(form: Form, name: 'scope' | 'add'): readonly string[] {
  return [...new Set([form[name] ?? []].flat())];
}

async function disconnect(request: YourAppsRequest, connection: Connection): Promise<PageResult> {
  const { connections, context } = request;
  const { site, member } = context;
  const ended = await connections.revoke(site, member.id, connection.id);
  return ended ? receiptAddress(request, connection) : withoutConnection(request);
}

/** Signs out a token family, which people know as a device. The last one ends the connection. */
async function endFamily(request: YourAppsRequest, form: Form, connection: Connection): Promise<string> {
  const { connections, path, context } = request;
  const { site, member } = context;
  const { id } = connection;
  const familyId = field(form, 'device') ?? '';
  await connections.revokeDevice(site, member.id, id, familyId);
  if (await connections.find(site, member.id, id)) {
    return noticeAddress(`${path}/${id}`, request, { device: familyId.slice(0, 100) });
  }
  return receiptAddress(request, connection);
}

/** Its page, with what has ended and a proof of it. */
function receiptAddress(request: YourAppsRequest, { id, clientName, host, devices }: Connection): string {
  return noticeAddress(`${request.path}/${id}`, request, {
    id,
    ended: shortName(clientName),
    at: String(epochSeconds()),
    devices: String(devices?.length ?? 0),
    host: host ?? '',
  });
}

/** What the person has just disconnected; otherwise the page for an app of nobody, or of another person. */
function withoutConnection(request: YourAppsRequest): PageBuilder {
  const { context, call } = request;
  const ended = endedBefore(request);
  return ended?.id === call.id ? endedPage(context, ended) : missingPage(request);
}

function endedBefore(request: YourAppsRequest): (Ended & { readonly id: string }) | undefined {
  const found = noticeOf(request, ['id', 'ended', 'at', 'devices', 'host']);
  if (!found) return undefined;
  const { id, ended: name, at, devices, host } = found;
  return { id, name, at: Number(at), devices: Number(devices), host };
}

/** It may be another person's. */
function missingPage({ path, context }: YourAppsRequest): PageBuilder {
  const action = { text: 'connected.back', href: path } as const;
  const other = { text: 'forbidden.button', href: context.switchAccountUrl } as const;
  return memberMessage(context, {
    title: 'connected.missing.title',
    texts: ['connected.missing'],
    status: 404,
    action,
    other,
  });
}
