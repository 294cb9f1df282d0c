import type { Application } from '../../contracts/application.ts';
import { html, type Html } from '../kit/html.ts';
import { memberPage, type MemberPageContext, statusMessage } from '../kit/member-page.ts';
import type { PageBuilder } from '../kit/pages.ts';
import { isolated, type Translator } from '../kit/translator.ts';

/** `removed` is how many connections ended when the previous request removed an application. */
export function listPage(
  context: MemberPageContext,
  applications: readonly Application[],
  removed: number | undefined,
): PageBuilder {
  return memberPage(context, {
    title: 'applications.title',
    wide: true,
    body: (t) => html`
${statusMessage(t, removed === undefined ? undefined : 'applications.removed', { count: removed ?? 0 })}
<p>${t.html('applications.intro', { school: context.site.name })}</p>
<p><a class="button primary small" href="${context.path}/new">${t.text('applications.new')}</a></p>
${applications.length === 0 ? html`<p class="soft">${t.text('applications.none')}</p>` : html`<ul class="cards">${applications.map((application) => card(t, context, application))}</ul>`}`,
  });
}

function card(
  t: Translator,
  { path }: MemberPageContext,
  { clientId, clientName, confidential, createdAt }: Application,
): Html {
  const kind = t.text(confidential ? 'applications.confidential' : 'applications.public');
  return html`<li>
<h2><a href="${path}/${clientId}">${isolated(clientName)}</a> <span class="badge">${kind}</span></h2>
<p class="soft">${t.text('form.clientId')} <code>${clientId}</code><br>${t.html('applications.created', { date: t.date(createdAt) })}</p>
</li>`;
}
