import type { Connection, Connections } from '../contracts/connection.ts';
import type { Route, RouteCall } from '../contracts/route.ts';
import { field, type Form } from '../http/body.ts';
import { html, type Html } from './kit/html.ts';
import {
  confirmPage,
  countFromQuery,
  hiddenFields,
  memberPage,
  type MemberPageContext,
  statusMessage,
} from './kit/member-page.ts';
import { type PageAccessOptions, requireMember } from './kit/page-access.ts';
import { type PageBuilder, redirectSeeOther } from './kit/pages.ts';
import { scopeList } from './kit/scope-lists.ts';
import { isolated, shortName, type Translator } from './kit/translator.ts';

interface ConnectedAppsOptions extends PageAccessOptions {
  readonly path: string;
  readonly connections: Connections;
}

/** A member's connected apps: what each may do, and how to disconnect it. */
export function connectedAppsRoutes(options: ConnectedAppsOptions): Route[] {
  return [{ path: options.path, methods: ['GET', 'POST'], kind: 'page', handle: (call) => handle(options, call) }];
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
  const values = { count: current.length };
  const page =
    confirm === 'all' && current.length > 0
      ? confirmPage(context, 'connected.confirm', {
          values,
          button: 'connected.end.all',
          action: 'end-all',
          page: path,
        })
      : listPage(context, current, countFromQuery(ended));
  pages.send(ctx, site, page);
}

async function disconnect(connections: Connections, { site, member }: MemberPageContext, form: Form): Promise<number> {
  if (field(form, 'action') === 'end-all') return connections.revokeAll(site, member.id);
  return (await connections.revoke(site, member.id, field(form, 'id') ?? '')) ? 1 : 0;
}

/** `ended` is how many connections the previous request ended. */
function listPage(context: MemberPageContext, connections: readonly Connection[], ended?: number): PageBuilder {
  const values = { count: connections.length, school: context.site.name };
  return memberPage(context, {
    title: 'connected.title',
    wide: true,
    body: (t) => html`
${statusMessage(t, ended === undefined ? undefined : 'connected.ended', { count: ended ?? 0 })}
<p>${t.html('connected.intro', values)}</p>
${connections.length > 0 && html`<ul class="cards">${connections.map((connection) => card(t, context, connection))}</ul>`}
${connections.length > 1 && html`<p><a class="button danger small" href="${context.path}?confirm=all">${t.text('connected.end.all')}</a></p>`}`,
  });
}

function card(t: Translator, context: MemberPageContext, connection: Connection): Html {
  const { id, clientName, host, source, firstParty, audience, scopes, createdAt, allowedAt, lastUsedAt } = connection;
  const client = shortName(clientName);
  const verified = source === 'static' || source === 'application';
  return html`<li>
<h2>${isolated(client)}${!verified && html` <span class="badge warn">${t.text('consent.claimed')}</span>`}${firstParty && html` <span class="badge">${t.text('connected.firstParty')}</span>`}</h2>
<p class="soft">${host !== undefined && html`${isolated(host)} · `}${t.html(`connected.audience.${audience}`, { school: context.site.name })}</p>
${firstParty && html`<p class="soft">${t.html('connected.firstParty.about', { school: context.site.name })}</p>`}
<p class="label">${t.text('connected.may')}</p>
${scopeList(t, scopes)}
<dl>
<dt>${t.text('connected.since')}</dt><dd>${t.date(createdAt)}</dd>
${lastUsedAt === undefined ? html`<dt>${t.text('connected.allowed')}</dt><dd>${t.date(allowedAt)}</dd>` : html`<dt>${t.text('connected.used')}</dt><dd>${t.date(lastUsedAt)}</dd>`}
</dl>
<form method="post" action="${context.path}">
${hiddenFields(context, { action: 'end', id })}
<div class="actions"><button class="danger small" type="submit" aria-label="${t.text('connected.end.one', { client })}">${t.text('connected.end')}</button></div>
</form>
</li>`;
}
