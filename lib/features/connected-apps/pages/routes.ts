import { undeclaredIn } from '../../../core/boundaries/boundary.ts';
import {
  decidedLimits,
  isLimitSearch,
  type LimitChoices,
  type LimitProblem,
} from '../../../core/boundaries/limit-choices.ts';
import type { Connection, Connections } from '../../../core/connections/connection.ts';
import type { Route } from '../../../http/route.ts';
import { field, type Form } from '../../../http/body.ts';
import { type ActivitySources, ownActivity } from '../../../pages/activity/recent.ts';
import { messagePage } from '../../../pages/kit/error-page.ts';
import { confirmPage } from '../../../pages/kit/member-page.ts';
import { noticeAddress, noticeOf, noticeQuery } from '../../../pages/kit/csrf-tokens.ts';
import {
  actOnClient,
  type MemberPageRequest,
  memberRoute,
  type MemberPagesOptions,
  type PageResult,
} from '../../../pages/kit/page-access.ts';
import { listAddress, type Listing, listingIn } from '../../../pages/kit/lists.ts';
import type { AlwaysOpen } from '../../../pages/kit/always-sees.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import { choosable } from '../../../pages/kit/permissions.ts';
import { shortName } from '../../../pages/kit/markup.ts';
import { appPage } from './app-page.ts';
import { type Ended, listPage } from './list-page.ts';

interface ConnectedAppsOptions extends MemberPagesOptions, Pick<ActivitySources, 'findEvents' | 'tools'> {
  readonly connections: Connections;
  readonly limits: LimitChoices;
  readonly open: AlwaysOpen;
}

type ConnectedAppsRequest = ConnectedAppsOptions & MemberPageRequest;

/** A member's connected apps: what each may do, and how to take that away. */
export function connectedAppsRoutes(options: ConnectedAppsOptions): Route[] {
  const kind = { audience: 'member', page: 'connectedApps', forbidden: 'forbidden.member' } as const;
  return [memberRoute(options, kind, '', all), memberRoute(options, kind, '/:id', one)];
}

async function all(request: ConnectedAppsRequest): Promise<PageResult> {
  const { connections, path, context, form } = request;
  const { query } = request.call.ctx;
  const listing = listingIn(query, { path, search: 'connected.search' });
  if (form) return field(form, 'action') === 'end-all' ? disconnectAll(request) : disconnect(request, form, listing);
  const found = await connections.list(context.site, context.member.id, listing.query);
  if (query['confirm'] === 'all' && found.total > 0) {
    const confirmation = { button: 'connected.end.all', action: 'end-all', page: path } as const;
    return confirmPage(context, 'connected.confirm', { values: { count: found.total }, ...confirmation });
  }
  return listPage(context, { list: found, listing, ended: await endedBefore(request) });
}

async function disconnect(request: ConnectedAppsRequest, form: Form, listing: Listing): Promise<string> {
  const { connections, context } = request;
  const { site, member } = context;
  const id = field(form, 'id') ?? '';
  const connection = await connections.find(site, member.id, id);
  const ended = await connections.revoke(site, member.id, id);
  const name = ended ? shortName(connection?.clientName ?? '') : '';
  return listAddress(listing, noticeQuery(request, { id: id.slice(0, 100), name }), listing.query.page);
}

async function disconnectAll(request: ConnectedAppsRequest): Promise<string> {
  const { connections, path, context } = request;
  const count = await connections.revokeAll(context.site, context.member.id);
  return noticeAddress(path, request, { count: String(count) });
}

/** What the previous request has ended, unless it has been connected again. */
async function endedBefore(request: ConnectedAppsRequest): Promise<Ended | undefined> {
  const { connections, context } = request;
  const { site, member } = context;
  const single = noticeOf(request, ['id', 'name']);
  if (single) return (await connections.find(site, member.id, single.id)) ? undefined : { name: single.name };
  const every = noticeOf(request, ['count']);
  if (!every || (await connections.list(site, member.id, { size: 1 })).total > 0) return undefined;
  return { count: Number(every.count) };
}

async function one(request: ConnectedAppsRequest): Promise<PageResult> {
  const { connections, limits, findEvents, tools, open, path, context, form } = request;
  const { site, member } = context;
  const { id } = request.call;
  const connection = await connections.find(site, member.id, id);
  if (!connection) return missingPage(path);
  actOnClient(connection);
  if (form && field(form, 'action') === 'end-device') return endFamily(request, form, connection);
  const log = await findEvents?.(site);
  const activity = findEvents && ownActivity(context, connection, log, tools);
  const question = { site, member, scopes: connection.scopes };
  const before = { only: connection.only, proposed: false };
  const removedLimit = undeclaredIn(limits.declared, connection.only) !== undefined;
  const shown = { connection, open, log, activity, removedLimit, limits: await limits.show(question, before) };
  if (form && field(form, 'action') === 'limit') {
    const again = (problem?: LimitProblem): Promise<PageBuilder> =>
      limits.show(question, before, form).then((asChosen) => appPage(context, { ...shown, limits: asChosen, problem }));
    if (isLimitSearch(field(form, 'select'))) return again();
    const choice = await limits.read(question, form);
    if (typeof choice === 'string') return again(choice);
    const only = decidedLimits(undefined, choice, limits.declared) ?? {};
    if (!(await connections.limit(site, member.id, id, only))) return missingPage(path);
    return noticeAddress(`${path}/${id}`, request, { limited: '1' });
  }
  if (!form) {
    const limited = noticeOf(request, ['limited']) !== undefined;
    const removed = Number(noticeOf(request, ['removed'])?.removed ?? 0);
    const signedOut = noticeOf(request, ['device'])?.device;
    return appPage(context, { ...shown, removed, signedOut, limited });
  }
  const kept = new Set([form['scope'] ?? []].flat());
  const removed = choosable(connection.scopes).filter((scope) => !kept.has(scope));
  if (removed.length > 0 && removed.length === connection.scopes.length) return appPage(context, { ...shown, kept });
  if (!(await connections.narrow(site, member.id, id, removed))) return missingPage(path);
  return noticeAddress(`${path}/${id}`, request, { removed: String(removed.length) });
}

/** Signs out a token family, which people know as a device. The last one ends the connection. */
async function endFamily(request: ConnectedAppsRequest, form: Form, { id, clientName }: Connection): Promise<string> {
  const { connections, path, context } = request;
  const { site, member } = context;
  const familyId = field(form, 'device') ?? '';
  await connections.revokeDevice(site, member.id, id, familyId);
  if (await connections.find(site, member.id, id)) {
    return noticeAddress(`${path}/${id}`, request, { device: familyId.slice(0, 100) });
  }
  return noticeAddress(path, request, { id, name: shortName(clientName) });
}

function missingPage(path: string): PageBuilder {
  const action = { text: 'connected.back', href: path } as const;
  return messagePage({ title: 'connected.missing.title', texts: ['connected.missing'], status: 404, action });
}
