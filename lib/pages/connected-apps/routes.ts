import type { Connections } from '../../contracts/connection.ts';
import { field, type Form } from '../../http/body.ts';
import type { Route, RouteCall } from '../../contracts/route.ts';
import { confirmPage, type MemberPageContext } from '../kit/member-page.ts';
import { type PageAccessOptions, requireMember } from '../kit/page-access.ts';
import { countFromQuery, redirectSeeOther } from '../kit/redirect.ts';
import { connectedAppsPage } from './list-page.ts';

interface ConnectedAppsOptions extends PageAccessOptions {
  readonly path: string;
  readonly connections: Connections;
}

/** A member's connected apps: what each may do, and how to disconnect it. */
export function connectedAppsRoutes(options: ConnectedAppsOptions): Route[] {
  const { path } = options;
  return [{ path, methods: ['GET', 'POST'], kind: 'page', handle: (call) => handle(options, call) }];
}

async function handle(options: ConnectedAppsOptions, call: RouteCall): Promise<void> {
  const { path, connections, pages } = options;
  const request = await requireMember(options, { path, audience: 'member' }, call);
  if (!request) return;
  const { context, form } = request;
  const { ctx, site } = call;
  if (form) return redirectSeeOther(ctx, `${path}?ended=${await disconnect(connections, context, form)}`);
  const { confirm, ended } = ctx.query;
  const current = await connections.list(site, context.member.id);
  const page =
    confirm === 'all' && current.length > 0
      ? confirmPage(context, {
          title: 'connected.confirm.title',
          text: 'connected.confirm.text',
          values: { count: current.length },
          button: 'connected.end.all',
          fields: { action: 'end-all' },
          action: path,
        })
      : connectedAppsPage(context, current, countFromQuery(ended));
  pages.send(ctx, site, page);
}

/** Returns how many connections ended; 0 when it had already been disconnected. */
async function disconnect(connections: Connections, { site, member }: MemberPageContext, form: Form): Promise<number> {
  if (field(form, 'action') === 'end-all') return connections.revokeAll(site, member.id);
  return (await connections.revoke(site, member.id, field(form, 'id') ?? '')) ? 1 : 0;
}
