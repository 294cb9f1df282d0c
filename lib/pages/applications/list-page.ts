import type { Application } from '../../contracts/application.ts';
import { type MemberPageContext, memberPage, told } from '../kit/member-page.ts';
import { html, type Html } from '../kit/html.ts';
import type { PageIn } from '../kit/pages.ts';
import { foreign, type Translator } from '../kit/translator.ts';

/** The applications of a school; `removed` is how many connections ended with one that was removed a moment ago. */
export function listPage(
  desk: MemberPageContext,
  applications: readonly Application[],
  removed: number | undefined,
): PageIn {
  return memberPage(desk, {
    title: 'applications.title',
    wide: true,
    body: (say) => html`
${told(say, removed === undefined ? undefined : 'applications.removed', { count: removed ?? 0 })}
<p>${say.html('applications.intro', { school: desk.site.name })}</p>
<p><a class="button primary small" href="${desk.path}/new">${say.text('applications.new')}</a></p>
${applications.length === 0 ? html`<p class="soft">${say.text('applications.none')}</p>` : html`<ul class="cards">${applications.map((application) => card(say, desk, application))}</ul>`}`,
  });
}

function card(
  say: Translator,
  { path }: MemberPageContext,
  { clientId, clientName, confidential, createdAt }: Application,
): Html {
  const kind = say.text(confidential ? 'applications.confidential' : 'applications.public');
  return html`<li>
<h2><a href="${path}/${clientId}">${foreign(clientName)}</a> <span class="badge">${kind}</span></h2>
<p class="soft">${say.text('form.clientId')} <code>${clientId}</code><br>${say.html('applications.created', { date: say.date(createdAt) })}</p>
</li>`;
}
