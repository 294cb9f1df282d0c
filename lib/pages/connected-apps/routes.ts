import type { Connections } from '../../contracts/connection.ts';
import type { Route, RouteCall } from '../../contracts/route.ts';
import { field, type Form } from '../../http/body.ts';
import { messagePage } from '../kit/error-page.ts';
import { confirmPage, type MemberPageContext } from '../kit/member-page.ts';
import { noticeOf, noticeQuery } from '../kit/notices.ts';
import { type PageAccessOptions, requireMember } from '../kit/page-access.ts';
import { pageQuery } from '../kit/page-links.ts';
import { type PageBuilder, redirectSeeOther } from '../kit/pages.ts';
import { choosable } from '../kit/permission-rows.ts';
import { shortName } from '../kit/translator.ts';
import { appPage } from './app-page.ts';
import { type Ended, listAddress, listPage } from './list-page.ts';

interface ConnectedAppsOptions extends PageAccessOptions {
  readonly path: string;
  readonly connections: Connections;
  /** Whether tokens read the Member API here. */
  readonly memberApi: boolean;
}

/** A member's connected apps: what each may do, and how to take that away. */
export function connectedAppsRoutes(options: ConnectedAppsOptions): Route[] {
  const { path } = options;
  const route = (under: string, handle: Handle): Route => ({
    path: `${path}${under}`,
    methods: ['GET', 'POST'],
    kind: 'page',
    handle: async (call) => {
      const request = await requireMember(options, { path, audience: 'member' }, call);
      if (!request) return;
      const page = await handle(options, call, request.context, request.form);
      if (typeof page === 'string') redirectSeeOther(call.ctx, page);
      else await options.pages.send(call.ctx, call.site, page);
    },
  });
  return [route('', all), route('/:id', one)];
}

/** Returns a page, or where to go. */
type Handle = (
  options: ConnectedAppsOptions,
  call: RouteCall,
  context: MemberPageContext,
  form: Form | undefined,
) => Promise<PageBuilder | string>;

async function all(
  options: ConnectedAppsOptions,
  { ctx }: RouteCall,
  context: MemberPageContext,
  form: Form | undefined,
): Promise<PageBuilder | string> {
  const { connections, path } = options;
  const { site, member } = context;
  const listed = { search: textOf(ctx.query['q']), ...pageQuery(ctx.query['page']) };
  if (form) {
    const isAll = field(form, 'action') === 'end-all';
    return isAll ? disconnectAll(options, context) : disconnect(options, context, form, listed);
  }
  const found = await connections.list(site, member.id, listed);
  if (ctx.query['confirm'] === 'all' && found.total > 0) {
    const values = { count: found.total };
    return confirmPage(context, 'connected.confirm', {
      values,
      button: 'connected.end.all',
      action: 'end-all',
      page: path,
    });
  }
  return listPage(context, { ...found, search: listed.search, ended: await endedBefore(options, context, ctx.query) });
}

async function disconnect(
  { connections, csrfTokens, path }: ConnectedAppsOptions,
  context: MemberPageContext,
  form: Form,
  listed: { readonly search: string; readonly page: number },
): Promise<string> {
  const { site, member } = context;
  const id = field(form, 'id') ?? '';
  const connection = await connections.find(site, member.id, id);
  const ended = await connections.revoke(site, member.id, id);
  const name = ended ? shortName(connection?.clientName ?? '') : '';
  return listAddress(path, listed, noticeQuery(csrfTokens, context, { id: id.slice(0, 100), name }));
}

async function disconnectAll(
  { connections, csrfTokens, path }: ConnectedAppsOptions,
  context: MemberPageContext,
): Promise<string> {
  const count = await connections.revokeAll(context.site, context.member.id);
  return listAddress(path, { search: '', page: 1 }, noticeQuery(csrfTokens, context, { count: String(count) }));
}

/** What the previous request has ended, unless it has been connected again. */
async function endedBefore(
  { connections, csrfTokens }: ConnectedAppsOptions,
  context: MemberPageContext,
  query: Readonly<Record<string, unknown>>,
): Promise<Ended | undefined> {
  const { site, member } = context;
  const single = noticeOf(csrfTokens, context, query, ['id', 'name']);
  if (single) return (await connections.find(site, member.id, single.id)) ? undefined : { name: single.name };
  const every = noticeOf(csrfTokens, context, query, ['count']);
  if (!every || (await connections.list(site, member.id, { size: 1 })).total > 0) return undefined;
  return { count: Number(every.count) };
}

async function one(
  options: ConnectedAppsOptions,
  { ctx, id }: RouteCall,
  context: MemberPageContext,
  form: Form | undefined,
): Promise<PageBuilder | string> {
  const { connections, csrfTokens, memberApi, path } = options;
  const { site, member } = context;
  const connection = await connections.find(site, member.id, id);
  if (!connection) return missingPage(path);
  const shown = { connection, memberApi };
  if (!form) {
    const removed = Number(noticeOf(csrfTokens, context, ctx.query, ['removed'])?.removed ?? 0);
    return appPage(context, { ...shown, removed });
  }
  const kept = new Set([form['scope'] ?? []].flat());
  const removed = choosable(connection.scopes).filter((scope) => !kept.has(scope));
  if (removed.length > 0 && removed.length === connection.scopes.length) return appPage(context, { ...shown, kept });
  if (!(await connections.narrow(site, member.id, id, removed))) return missingPage(path);
  const notice = noticeQuery(csrfTokens, context, { removed: String(removed.length) });
  return listAddress(`${path}/${id}`, { search: '', page: 1 }, notice);
}

function missingPage(path: string): PageBuilder {
  const action = { text: 'connected.back', href: path } as const;
  return messagePage({ title: 'connected.missing.title', texts: ['connected.missing'], status: 404, action });
}

const maxSearch = 100;

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, maxSearch) : '';
}
