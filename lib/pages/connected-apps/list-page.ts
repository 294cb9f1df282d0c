import type { Connection } from '../../contracts/connection.ts';
import { type MemberPageContext, memberPage, hidden, told } from '../kit/member-page.ts';
import { html, type Html } from '../kit/html.ts';
import type { PageIn } from '../kit/pages.ts';
import { foreign, type Translator, shortName } from '../kit/translator.ts';
import { scopeList } from '../kit/scope-lists.ts';

/** A member's connected apps; `ended` says how many were disconnected a moment ago. */
export function connectedAppsPage(
  desk: MemberPageContext,
  connections: readonly Connection[],
  ended: number | undefined,
): PageIn {
  const values = { count: connections.length, school: desk.site.name };
  return memberPage(desk, {
    title: 'connected.title',
    wide: true,
    body: (say) => html`
${told(say, ended === undefined ? undefined : 'connected.ended', { count: ended ?? 0 })}
<p>${say.html('connected.intro', values)}</p>
${connections.length > 0 && html`<ul class="cards">${connections.map((connection) => card(say, desk, connection))}</ul>`}
${connections.length > 1 && html`<p><a class="button danger small" href="${desk.path}?confirm=all">${say.text('connected.end.all')}</a></p>`}`,
  });
}

function card(say: Translator, desk: MemberPageContext, connection: Connection): Html {
  const { id, clientName, host, source, audience, scopes, createdAt, allowedAt, lastUsedAt } = connection;
  const client = shortName(clientName);
  const checked = source === 'static' || source === 'application';
  return html`<li>
<h2>${foreign(client)}${!checked && html` <span class="badge warn">${say.text('consent.claimed')}</span>`}</h2>
<p class="soft">${host !== undefined && html`${foreign(host)} · `}${say.html(`connected.audience.${audience}`, { school: desk.site.name })}</p>
<p class="label">${say.text('connected.may')}</p>
${scopeList(say, scopes)}
<dl>
<dt>${say.text('connected.since')}</dt><dd>${say.date(createdAt)}</dd>
${lastUsedAt === undefined ? html`<dt>${say.text('connected.allowed')}</dt><dd>${say.date(allowedAt)}</dd>` : html`<dt>${say.text('connected.used')}</dt><dd>${say.date(lastUsedAt)}</dd>`}
</dl>
<form method="post" action="${desk.path}">
${hidden(desk, { action: 'end', id })}
<div class="actions"><button class="danger small" type="submit" aria-label="${say.text('connected.end.one', { client })}">${say.text('connected.end')}</button></div>
</form>
</li>`;
}
