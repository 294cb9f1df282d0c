import type { Connection } from '../../contracts/connection.ts';
import { html, type Html } from '../kit/html.ts';
import { hiddenFields, memberPage, type MemberPageContext, statusMessage } from '../kit/member-page.ts';
import type { PageBuilder } from '../kit/pages.ts';
import { scopeList } from '../kit/scope-lists.ts';
import { isolated, shortName, type Translator } from '../kit/translator.ts';

/** `ended` is how many connections the previous request ended. */
export function connectedAppsPage(
  context: MemberPageContext,
  connections: readonly Connection[],
  ended: number | undefined,
): PageBuilder {
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
  const { id, clientName, host, source, audience, scopes, createdAt, allowedAt, lastUsedAt } = connection;
  const client = shortName(clientName);
  const verified = source === 'static' || source === 'application';
  return html`<li>
<h2>${isolated(client)}${!verified && html` <span class="badge warn">${t.text('consent.claimed')}</span>`}</h2>
<p class="soft">${host !== undefined && html`${isolated(host)} · `}${t.html(`connected.audience.${audience}`, { school: context.site.name })}</p>
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
