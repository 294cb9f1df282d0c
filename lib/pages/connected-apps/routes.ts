import type { Connections } from '../../contracts/connection.ts';
import { field, type Form } from '../../http/body.ts';
import type { Route, RouteCall } from '../../contracts/route.ts';
import { connectedAppsPage } from './list-page.ts';
import { confirmPage, type MemberPageContext } from '../kit/member-page.ts';
import { seeOther } from '../kit/see-other.ts';
import { authenticateVisitor, type VisitorOptions } from '../kit/visitor.ts';
import { wholeNumber } from '../kit/whole-number.ts';

/** What the page of connected apps rests on. */
export interface ConnectedAppsOptions extends VisitorOptions {
  readonly path: string;
  readonly connections: Connections;
}

/** Connected apps: what a member has allowed, and how to end it. */
export function connectedAppsRoutes(options: ConnectedAppsOptions): Route[] {
  const { path } = options;
  return [{ path, methods: ['GET', 'POST'], kind: 'page', handle: (route) => visit(options, route) }];
}

async function visit(options: ConnectedAppsOptions, route: RouteCall): Promise<void> {
  const visitor = await authenticateVisitor(options, { path: options.path, audience: 'member' }, route);
  if (!visitor) return;
  const { desk, form } = visitor;
  if (form) return seeOther(route.ctx, `${options.path}?ended=${await end(options, desk, form)}`);
  const { site } = route;
  const { confirm, ended } = route.ctx.query;
  const connections = await options.connections.list(site, desk.member.id);
  const page =
    confirm === 'all' && connections.length > 0
      ? confirmPage(desk, {
          title: 'connected.confirm.title',
          text: 'connected.confirm.text',
          values: { count: connections.length },
          button: 'connected.end.all',
          fields: { action: 'end-all' },
          action: options.path,
        })
      : connectedAppsPage(desk, connections, wholeNumber(ended));
  options.pages.send(route.ctx, site, page);
}

/** Answers how many were ended; one that was not there any more is no mistake. */
async function end(
  { connections }: ConnectedAppsOptions,
  { site, member }: MemberPageContext,
  form: Form,
): Promise<number> {
  if (field(form, 'action') === 'end-all') return connections.revokeAll(site, member.id);
  return (await connections.revoke(site, member.id, field(form, 'id') ?? '')) ? 1 : 0;
}
