import type { SeenDocument } from '../../contracts/document-review.ts';
import { html, type Html } from '../kit/html.ts';
import { hiddenFields, type MemberPageContext } from '../kit/member-page.ts';
import { isolated, shortName, type Translator } from '../kit/translator.ts';
import { clientPath } from './client-path.ts';
import { statusBadge } from './list-page.ts';

/** What a metadata document says, what has changed since it was approved, and the decision. */
export function reviewSection(t: Translator, context: MemberPageContext, document: SeenDocument): Html {
  const { clientId, clientName, redirectUris, logoUri, status, seenAt, decidedAt, digest } = document;
  const here = clientPath(context.path, clientId);
  const host = URL.parse(clientId)?.host ?? clientId;
  const school = context.site.name;
  return html`<section><h2>${t.html('review.title', { client: shortName(clientName ?? host) })}</h2>
<p>${statusBadge(t, status)}</p>
<p>${t.html('review.claimed', { host })}</p>
<dl class="facts">
<dt>${t.html('review.address')}</dt><dd><code dir="ltr">${clientId}</code></dd>
<dt>${t.html('school.redirects')}</dt><dd>${lines(redirectUris)}</dd>
${logoUri !== undefined && html`<dt>${t.html('review.logo')}</dt><dd><code dir="ltr">${logoUri}</code></dd>`}
<dt>${t.html('review.seen')}</dt><dd>${t.date(seenAt)}</dd>
${decidedAt !== undefined && html`<dt>${t.html('review.decided')}</dt><dd>${t.date(decidedAt)}</dd>`}
</dl>
${changes(t, document)}
${status !== 'approved' && html`<p>${t.html('review.approve.text')}</p><form method="post" action="${here}">${hiddenFields(context, { action: 'approve', client: clientId, digest })}<p><button class="primary small" type="submit">${t.html('review.approve')}</button></p></form>`}
${status !== 'rejected' && html`<p>${t.html('review.reject.text', { school })}</p><p><a class="button danger small" href="${here}&amp;confirm=reject">${t.html('review.reject')}</a></p>`}
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
${isSameName && isSameUris && html`<li>${t.html('review.keys')}</li>`}
</ul></div>`;
}
