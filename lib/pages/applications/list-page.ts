import type { Application } from '../../contracts/application.ts';
import { type Desk, deskPage, told } from '../desk.ts';
import { html, type Html } from '../html.ts';
import type { PageIn } from '../pages.ts';
import { foreign, type Say } from '../say.ts';

/** The applications of a school; `removed` is how many connections ended with one that was removed a moment ago. */
export function listPage(desk: Desk, applications: readonly Application[], removed: number | undefined): PageIn {
  return deskPage(desk, {
    title: 'applications.title',
    wide: true,
    body: (say) => html`
${told(say, removed === undefined ? undefined : 'applications.removed', { count: removed ?? 0 })}
<p>${say.html('applications.intro', { school: desk.site.name })}</p>
<p><a class="button primary small" href="${desk.path}/new">${say.text('applications.new')}</a></p>
${applications.length === 0 ? html`<p class="soft">${say.text('applications.none')}</p>` : html`<ul class="cards">${applications.map((application) => card(say, desk, application))}</ul>`}`,
  });
}

function card(say: Say, { path }: Desk, { clientId, clientName, confidential, createdAt }: Application): Html {
  const kind = say.text(confidential ? 'applications.confidential' : 'applications.public');
  const [before = '', after = ''] = say.text('applications.created', { date: '\n' }).split(/\u2068\n\u2069/);
  return html`<li>
<h2><a href="${path}/${clientId}">${foreign(clientName)}</a> <span class="badge">${kind}</span></h2>
<p class="soft">${say.text('form.clientId')} <code>${clientId}</code><br>${before}${say.date(createdAt)}${after}</p>
</li>`;
}
