import type { ConnectedClient } from '../../core/clients/client-lists.ts';
import type { ListedProgram } from '../../core/decisions/program-rule.ts';
import type { SchoolRoles } from '../../core/decisions/school-roles.ts';
import type { SeenDocument } from '../../core/reviews/document-review.ts';
import type { TextKey } from '../../i18n/texts.ts';
import { featureFields } from '../../features/forms.ts';
import { copyMark, keyRow } from '../kit/marks.ts';
import { fact, html, type Html, isolated, shortName, type Translator } from '../kit/markup.ts';
import { hiddenFields, memberPage, type MemberPageContext, monogram, statusMessage } from '../kit/member-page.ts';
import type { PageBuilder } from '../kit/pages.ts';
import { scopeList } from '../kit/permissions.ts';
import { ruleDone, ruleSection } from './rule-pages.ts';
import { targetPath } from '../kit/console.ts';
import { programLine, sourceBadges, sourceLine, statusBadge } from './list-page.ts';

/** A client of the school: one that people have connected, a document that operators were shown, or both. */
export interface SchoolClient {
  readonly client: ConnectedClient;
  readonly document: SeenDocument | undefined;
  readonly listed: ListedProgram;
}

export interface ClientView extends SchoolClient {
  readonly roles: SchoolRoles;
  readonly applicationsPath: string | undefined;
  /** What the previous request did. */
  readonly done: unknown;
  /** What has changed while the administrator looked at it. @default nothing */
  readonly stale?: TextKey | undefined;
}

export function clientPage(context: MemberPageContext, view: ClientView): PageBuilder {
  const { client, document, listed, roles, stale } = view;
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
${client.redirectUris.length > 0 && html`<p><a href="${targetPath(context.path, client)}&amp;view=consent">${t.html('example.preview.link')}</a></p>`}
${document && reviewSection(t, context, document)}
${ruleSection(t, context, listed, roles)}
${actions(t, context, client)}`,
  });
}

/** Only what is true now: visitors can change an address. */
function doneText({ done, client, document, listed }: ClientView): TextKey | undefined {
  const { people, blockedAt } = client;
  if (done === 'ended' && people === 0) return 'school.done.ended';
  if (done === 'blocked' && blockedAt !== undefined) return 'school.done.blocked';
  if (done === 'unblocked' && blockedAt === undefined) return 'school.done.unblocked';
  if (done === 'approved' && document?.status === 'approved') return 'school.done.approved';
  if (done === 'rejected' && document?.status === 'rejected') return 'school.done.rejected';
  return ruleDone(done, listed);
}

function facts(t: Translator, client: ConnectedClient): Html {
  const { clientId, people, lastActiveAt, blockedAt, redirectUris } = client;
  return html`<p>${sourceLine(t, client)}${sourceBadges(t, client)}</p>
<dl class="facts">
${client.program && fact(t.html('school.program'), programLine(t, client.program))}
${client.usesKey && fact(...keyRow(t))}
${fact(t.html('school.people'), t.html('school.people.count', { count: people }))}
${lastActiveAt !== undefined && fact(t.html('school.active'), t.date(lastActiveAt))}
${blockedAt !== undefined && fact(t.html('school.blocked.since'), t.date(blockedAt))}
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

function actions(t: Translator, context: MemberPageContext, { clientId, people, blockedAt }: ConnectedClient): Html {
  const pagePath = targetPath(context.path, { clientId });
  const school = context.site.name;
  const end = html`<section><h2>${t.html('school.end')}</h2><p>${t.html('school.end.text')}</p><p><a class="button danger small" href="${pagePath}&amp;confirm=end">${t.html('school.end')}</a></p></section>`;
  const block = html`<section><h2>${t.html('school.block')}</h2><p>${t.html('school.block.text', { school })}</p><p><a class="button danger small" href="${pagePath}&amp;confirm=block">${t.html('school.block')}</a></p></section>`;
  const unblock = html`<section><h2>${t.html('school.unblock')}</h2><p>${t.html('school.unblock.text')}</p>
<form method="post" action="${pagePath}">${hiddenFields(context, { action: 'unblock', client: clientId })}<p><button class="small" type="submit">${t.html('school.unblock')}</button></p></form></section>`;
  return html`${people > 0 && end}${blockedAt === undefined ? block : unblock}`;
}

/** What a metadata document says, what has changed since it was approved, and the decision. */
function reviewSection(t: Translator, context: MemberPageContext, document: SeenDocument): Html {
  const { clientId, clientName, redirectUris, logoUri, logo, status, approvedScopes } = document;
  const { seenAt, decidedAt, digest, copyDate } = document;
  const decided = `${decidedAt ?? ''}`;
  const fields = { action: 'approve', client: clientId, digest, logo: logo?.digest ?? '', decided };
  const isOtherLogo = status === 'approved' && logo?.approved === false;
  const pagePath = targetPath(context.path, { clientId });
  const host = URL.parse(clientId)?.host ?? clientId;
  const school = context.site.name;
  return html`<section><h2>${t.html('review.title', { client: shortName(clientName ?? host) })}</h2>
<p>${statusBadge(t, status)}</p>
<p>${t.html('review.claimed', { host })}</p>
<dl class="facts">
${fact(t.html('review.address'), html`${lines([clientId])}${copyDate !== undefined && html` ${copyMark(t, copyDate)}`}`)}
${fact(t.html('school.redirects'), lines(redirectUris))}
${logoUri !== undefined && fact(t.html('review.logo'), html`${logo && html`${monogram(host, logo.picture)} `}<code dir="ltr">${logoUri}</code>${!logo && html`<br>${t.html('review.logo.missing')}`}`)}
${fact(t.html('review.seen'), t.date(seenAt))}
${decidedAt !== undefined && fact(t.html('review.decided'), t.date(decidedAt))}
</dl>
${changes(t, document)}
${approvedScopes && html`<p>${t.html('review.approved.scopes')}</p>${scopeList(t, approvedScopes)}`}
${isOtherLogo && html`<p class="notice">${t.html('review.logo.other')}</p>`}
${(status !== 'approved' || isOtherLogo || approvedScopes) && html`<p>${t.html('review.approve.text')}</p><form method="post" action="${pagePath}">${hiddenFields(context, fields)}<p><button class="primary small" type="submit">${t.html('review.approve')}</button></p></form>`}
${status !== 'rejected' && html`<p>${t.html('review.reject.text', { school })}</p><p><a class="button danger small" href="${pagePath}&amp;confirm=reject">${t.html('review.reject')}</a></p>`}
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
