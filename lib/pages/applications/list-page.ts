import type { Application } from '../../contracts/application.ts';
import type { ClientAudience } from '../../contracts/client.ts';
import type { PageNumbers } from '../../contracts/connection.ts';
import { html, type Html, isolated, shortName, type Translator } from '../kit/markup.ts';
import { memberPage, type MemberPageContext, statusMessage } from '../kit/member-page.ts';
import { pageLinks } from '../kit/page-links.ts';
import type { PageBuilder } from '../kit/pages.ts';

export interface ListedApplication {
  readonly application: Application;
  readonly people: number;
  readonly creator?: string | undefined;
}

interface ListView {
  readonly applications: readonly ListedApplication[];
  readonly list: PageNumbers;
  /** How many connections ended when the previous request removed an application. */
  readonly removed?: number | undefined;
  readonly connectionsPath: string | undefined;
  /** How many requests of members are open. */
  readonly asked: number;
  /** Whether there can be services. */
  readonly services: boolean;
}

export function listPage(context: MemberPageContext, view: ListView): PageBuilder {
  const { path, site } = context;
  const { applications, list, removed, connectionsPath, asked, services } = view;
  return memberPage(context, {
    title: 'applications.title',
    wide: true,
    body: (t) => html`
${statusMessage(t, removed === undefined ? undefined : 'applications.removed', { count: removed ?? 0 })}
<p>${t.html('applications.intro', { school: site.name })}</p>
${asked > 0 && html`<p><a class="button small" href="${path}/asked">${t.html('applications.asked', { count: asked })}</a></p>`}
<div class="columns">${newLink(t, context, 'member')}${newLink(t, context, 'operator')}${services && newLink(t, context, 'service')}</div>
<p><a href="${path}/refused">${t.html('applications.refused')}</a>${connectionsPath !== undefined && html` · <a href="${connectionsPath}">${t.html('school.title', { school: site.name })}</a>`}</p>
${applications.length === 0 ? html`<p class="soft">${t.html('applications.none')}</p>` : html`<ul class="cards">${applications.map((each) => card(t, path, each))}</ul>`}
${pageLinks(t, (page) => `${path}?page=${page}`, list)}`,
  });
}

function newLink(t: Translator, { path, site }: MemberPageContext, audience: ClientAudience): Html {
  return html`<div>
<p class="soft" id="about-${audience}">${t.html(`applications.about.${audience}`, { school: site.name })}</p>
<p><a class="button small" href="${newPath(path, audience)}" aria-describedby="about-${audience}">${t.html(`applications.new.${audience}`)}</a></p>
</div>`;
}

export function newPath(path: string, audience: ClientAudience): string {
  return `${path}/new?audience=${audience}`;
}

function card(t: Translator, path: string, listed: ListedApplication): Html {
  const { clientId, clientName } = listed.application;
  return html`<li>
<h2><a href="${path}/${clientId}">${isolated(shortName(clientName))}</a> ${badges(t, listed.application)}</h2>
<p class="soft">${peopleLine(t, listed)}${createdLine(t, listed)}<br>${t.html('form.clientId')} <code>${clientId}</code></p>
</li>`;
}

/** Nobody connects to a service. */
export function peopleLine(t: Translator, { application, people }: ListedApplication): Html | false {
  return application.audience !== 'service' && html`${t.html('applications.people', { count: people })} · `;
}

export function createdLine(t: Translator, { application, creator }: Omit<ListedApplication, 'people'>): Html {
  const date = t.date(application.createdAt);
  if (creator === undefined) return t.html('applications.created', { date });
  return t.html('applications.created.by', { name: shortName(creator), date });
}

export function badges(t: Translator, { audience, confidential }: Application): Html {
  const kind = t.html(confidential ? 'applications.confidential' : 'applications.public');
  return html`<span class="badge">${t.html(`applications.audience.${audience}`)}</span> <span class="badge">${kind}</span>`;
}
