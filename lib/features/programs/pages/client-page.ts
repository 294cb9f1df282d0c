import type { ConnectedClient } from '../../../core/clients/listed-client.ts';
import type { SeenDocument } from '../../../core/reviews/document-review.ts';
import type { TextKey } from '../../../i18n/texts.ts';
import { featureFields } from '../../forms.ts';
import { copyMark, keyRow, statusMark } from '../../../pages/kit/marks.ts';
import { fact, html, type Html, isolated, shortName, type Translator } from '../../../pages/kit/markup.ts';
import { memberPage, type MemberPageContext, monogram, statusMessage } from '../../../pages/kit/member-page.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import { scopeList } from '../../../pages/kit/permissions.ts';
import { targetPath } from '../../../pages/kit/console.ts';
import { decisionSection } from './decision-form.ts';
import type { DecisionView } from './decision-view.ts';
import { programLine, sourceBadges, sourceLine } from './list-page.ts';
import { decisionDone } from './rule-pages.ts';

/** A client of the school: one that people have connected, a document that operators were shown, or both. */
export interface ClientView extends DecisionView {
  readonly client: ConnectedClient;
  readonly applicationsPath: string | undefined;
  /** What the previous request did. */
  readonly done: unknown;
  /** What has changed while the administrator looked at it. @default nothing */
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
${facts(t, view)}
${permissions(t, view)}
${client.source === 'application' && view.applicationsPath !== undefined && html`<p><a href="${view.applicationsPath}/${encodeURIComponent(client.clientId)}">${t.html('school.see.application')}</a></p>`}
${client.redirectUris.length > 0 && html`<p><a href="${targetPath(context.path, client)}&amp;view=consent">${t.html('example.preview.link')}</a></p>`}
${document && versionSection(t, document)}
${decisionSection(t, context, view)}
${client.people > 0 && endSection(t, context, client)}`,
  });
}

/** Only what is true now: visitors can change an address. */
function doneText(view: ClientView): TextKey | undefined {
  if (view.done === 'ended' && view.client.people === 0) return 'school.done.ended';
  return decisionDone(view.done, view);
}

function facts(t: Translator, { client, listed }: ClientView): Html {
  const { clientId, people, lastActiveAt, redirectUris } = client;
  return html`<p>${statusMark(t, listed.status)} ${sourceLine(t, client)}${sourceBadges(t, client)}</p>
<dl class="facts">
${client.program && fact(t.html('school.program'), programLine(t, client.program))}
${client.usesKey && fact(...keyRow(t))}
${fact(t.html('school.people'), t.html('school.people.count', { count: people }))}
${lastActiveAt !== undefined && fact(t.html('school.active'), t.date(lastActiveAt))}
${fact(t.html('school.client.id'), lines([clientId]))}
${redirectUris.length > 0 && fact(t.html('school.redirects'), lines(redirectUris))}
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

function endSection(t: Translator, context: MemberPageContext, { clientId }: ConnectedClient): Html {
  const pagePath = targetPath(context.path, { clientId });
  return html`<section><h2>${t.html('school.end')}</h2><p>${t.html('school.end.text')}</p><p><a class="button danger small" href="${pagePath}&amp;confirm=end">${t.html('school.end')}</a></p></section>`;
}

/** What a metadata document says, and what has changed since it was approved. The decision is for this version. */
function versionSection(t: Translator, document: SeenDocument): Html {
  const { clientId, clientName, redirectUris, logoUri, logo, status, approvedScopes, seenAt, copyDate } = document;
  const isOtherLogo = status === 'approved' && logo?.approved === false;
  const host = URL.parse(clientId)?.host ?? clientId;
  return html`<section><h2>${t.html('review.title', { client: shortName(clientName ?? host) })}</h2>
<p>${t.html('review.claimed', { host })}</p>
<dl class="facts">
${fact(t.html('review.address'), html`${lines([clientId])}${copyDate !== undefined && html` ${copyMark(t, copyDate)}`}`)}
${fact(t.html('school.redirects'), lines(redirectUris))}
${logoUri !== undefined && fact(t.html('review.logo'), html`${logo && html`${monogram(host, logo.picture)} `}<code dir="ltr">${logoUri}</code>${!logo && html`<br>${t.html('review.logo.missing')}`}`)}
${fact(t.html('review.seen'), t.date(seenAt))}
</dl>
${changes(t, document)}
${approvedScopes && html`<p>${t.html('review.approved.scopes')}</p>${scopeList(t, approvedScopes)}`}
${isOtherLogo && html`<p class="notice">${t.html('review.logo.other')}</p>`}
</section>`;
}

function lines(texts: readonly string[]): Html[] {
  return texts.map((text, i) => html`${i > 0 && html`<br>`}<code dir="ltr">${text}</code>`);
}

/** What has changed in a document since it was approved. */
function changes(t: Translator, { approved, clientName = '', redirectUris }: SeenDocument): Html | false {
  if (!approved) return false;
  const { clientName: oldName = '', redirectUris: oldUris } = approved;
  const isSameName = oldName === clientName;
  const isSameUris = [...oldUris].sort().join('\n') === [...redirectUris].sort().join('\n');
  const row = (label: Html, before: Html | Html[], now: Html | Html[]): Html =>
    html`<li><strong>${label}</strong><br>${t.html('review.before')} ${before}<br>${t.html('review.now')} ${now}</li>`;
  return html`<div class="notice"><p><strong>${t.html('review.changes')}</strong></p><ul>
${!isSameName && row(t.html('form.name'), isolated(shortName(oldName)), isolated(shortName(clientName)))}
${!isSameUris && row(t.html('school.redirects'), lines(oldUris), lines(redirectUris))}
${isSameName && isSameUris && featureFields.map(({ changed }) => html`<li>${t.html(changed)}</li>`)}
</ul></div>`;
}
