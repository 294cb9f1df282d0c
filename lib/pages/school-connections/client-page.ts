import type { ConnectedClient } from '../../contracts/connection.ts';
import type { SeenDocument } from '../../contracts/document-review.ts';
import type { TextKey } from '../../i18n/texts.ts';
import { html, type Html } from '../kit/html.ts';
import { hiddenFields, memberPage, type MemberPageContext, statusMessage } from '../kit/member-page.ts';
import type { PageBuilder } from '../kit/pages.ts';
import { scopeList } from '../kit/scope-lists.ts';
import { shortName, type Translator } from '../kit/translator.ts';
import { clientPath } from './client-path.ts';
import { sourceBadges, sourceLine } from './list-page.ts';
import { reviewSection } from './review-section.ts';

/** A client of the school: one that people have connected, a document that operators were shown, or both. */
export interface SchoolClient {
  readonly client: ConnectedClient;
  readonly document: SeenDocument | undefined;
}

interface ClientView extends SchoolClient {
  readonly applicationsPath: string | undefined;
  /** What the previous request did. */
  readonly done: unknown;
  /** What has changed while the operator looked at it. @default nothing */
  readonly stale?: TextKey | undefined;
}

export function clientPage(context: MemberPageContext, view: ClientView): PageBuilder {
  const { client, document, stale } = view;
  const school = context.site.name;
  return memberPage(context, {
    title: 'school.client.title',
    values: { client: shortName(client.clientName), school },
    wide: true,
    status: stale === undefined ? 200 : 409,
    body: (t) => html`
${statusMessage(t, doneText(view))}
${stale !== undefined && html`<p class="notice" role="alert">${t.html(stale)}</p>`}
<p><a href="${context.path}">${t.html('school.back')}</a></p>
${facts(t, client)}
${permissions(t, view)}
${client.source === 'application' && view.applicationsPath !== undefined && html`<p><a href="${view.applicationsPath}/${encodeURIComponent(client.clientId)}">${t.html('school.see.application')}</a></p>`}
${document && reviewSection(t, context, document)}
${actions(t, context, client)}`,
  });
}

/** Only what is true now: visitors can change an address. */
function doneText({ done, client, document }: ClientView): TextKey | undefined {
  const { people, blockedAt } = client;
  if (done === 'ended' && people === 0) return 'school.done.ended';
  if (done === 'blocked' && blockedAt !== undefined) return 'school.done.blocked';
  if (done === 'unblocked' && blockedAt === undefined) return 'school.done.unblocked';
  if (done === 'approved' && document?.status === 'approved') return 'school.done.approved';
  if (done === 'rejected' && document?.status === 'rejected') return 'school.done.rejected';
  return undefined;
}

function facts(t: Translator, client: ConnectedClient): Html {
  const { clientId, people, lastActiveAt, blockedAt, redirectUris } = client;
  return html`<p>${sourceLine(t, client)}${sourceBadges(t, client)}</p>
<dl class="facts">
<dt>${t.html('school.people')}</dt><dd>${t.html('school.people.count', { count: people })}</dd>
${lastActiveAt !== undefined && html`<dt>${t.html('school.active')}</dt><dd>${t.date(lastActiveAt)}</dd>`}
${blockedAt !== undefined && html`<dt>${t.html('school.blocked.since')}</dt><dd>${t.date(blockedAt)}</dd>`}
<dt>${t.html('school.client.id')}</dt><dd><code dir="ltr">${clientId}</code></dd>
${redirectUris.length > 0 && html`<dt>${t.html('school.redirects')}</dt><dd>${redirectUris.map((uri, i) => html`${i > 0 && html`<br>`}<code dir="ltr">${uri}</code>`)}</dd>`}
</dl>`;
}

/** What a metadata document may request is decided by its review, not by itself. */
function permissions(t: Translator, { client, document }: ClientView): Html | false {
  const { source, scopes } = client;
  if (document?.status === 'approved' || document?.status === 'rejected') return false;
  const text = source === 'document' ? 'school.permissions.read' : 'school.permissions.none';
  return html`<h2>${t.html('school.permissions')}</h2>
${scopes.length > 0 ? scopeList(t, scopes) : html`<p>${t.html(text)}</p>`}`;
}

function actions(t: Translator, context: MemberPageContext, { clientId, people, blockedAt }: ConnectedClient): Html {
  const here = clientPath(context.path, clientId);
  const school = context.site.name;
  const end = html`<section><h2>${t.html('school.end')}</h2><p>${t.html('school.end.text')}</p><p><a class="button danger small" href="${here}&amp;confirm=end">${t.html('school.end')}</a></p></section>`;
  const block = html`<section><h2>${t.html('school.block')}</h2><p>${t.html('school.block.text', { school })}</p><p><a class="button danger small" href="${here}&amp;confirm=block">${t.html('school.block')}</a></p></section>`;
  const unblock = html`<section><h2>${t.html('school.unblock')}</h2><p>${t.html('school.unblock.text')}</p>
<form method="post" action="${here}">${hiddenFields(context, { action: 'unblock', client: clientId })}<p><button class="small" type="submit">${t.html('school.unblock')}</button></p></form></section>`;
  return html`${people > 0 && end}${blockedAt === undefined ? block : unblock}`;
}
