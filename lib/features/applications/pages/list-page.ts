import { statusNote } from '../../../pages/kit/status.ts';
import type { Application, Applications } from '../../../core/applications/application.ts';
import type { ClientAudience } from '../../../core/clients/client.ts';
import type { Member } from '../../../host/school-platform.ts';
import { requestsPath } from '../../../pages/kit/console.ts';
import { csvDay, csvFile, type CsvFile } from '../../../pages/kit/csv.ts';
import { isNarrowed, listHead, type Listing, listPages } from '../../../pages/kit/lists.ts';
import { keyMark } from '../../../pages/kit/marks.ts';
import { html, type Html, isolated, shortName, type Translator } from '../../../pages/kit/markup.ts';
import { memberPage, type MemberPageContext } from '../../../pages/kit/member-page.ts';
import { statusMessage } from '../../../pages/kit/notice.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';

type ListedApplications = Awaited<ReturnType<Applications['list']>>;

interface ListView {
  readonly list: ListedApplications;
  readonly listing: Listing;
  /** Those who created them. */
  readonly creators: ReadonlyMap<string, Member | undefined>;
  /** How many connections ended when the previous request removed an application. */
  readonly removed?: number | undefined;
  /** How many requests of members are open. */
  readonly asked: number;
  /** Whether there can be services. */
  readonly services: boolean;
}

export function listPage(context: MemberPageContext, view: ListView): PageBuilder {
  const { path, site } = context;
  const { list, listing, creators, removed, asked, services } = view;
  const creatorOf = ({ createdBy = '' }: Application): string | undefined => creators.get(createdBy)?.name;
  return memberPage(context, {
    title: 'applications.title',
    wide: true,
    body: (t) => html`
${statusMessage(t, removed === undefined ? undefined : 'applications.removed', { count: removed ?? 0 })}
<p>${t.html('applications.intro', { school: site.name })}</p>
${asked > 0 && html`<p><a class="button small" href="${requestsPath(path)}">${t.html('applications.asked', { count: asked })}</a></p>`}
<div class="columns">${newLink(t, context, 'signIn')}${newLink(t, context, 'member')}${newLink(t, context, 'operator')}${services && newLink(t, context, 'service')}</div>
<p><a href="${path}/refused">${t.html('applications.refused')}</a></p>
${!isNarrowed(listing) && list.total === 0 && html`<p class="soft">${t.html('applications.none')}</p>`}
${listHead(t, listing, list)}
${list.length > 0 && html`<ul class="cards">${list.map((each) => card(t, path, each, creatorOf(each)))}</ul>`}
${listPages(t, listing, list)}`,
  });
}

/** The kinds of software that applications are for; assistants and API clients by who connects them. */
export type SoftwareKind = 'signIn' | ClientAudience;

export function softwareKind({ audience, signIn }: Pick<Application, 'audience' | 'signIn'>): SoftwareKind {
  return signIn ? 'signIn' : audience;
}

function newLink(t: Translator, { path, site }: MemberPageContext, kind: SoftwareKind): Html {
  return html`<div>
<p class="soft" id="about-${kind}">${t.html(`applications.about.${kind}`, { school: site.name })}</p>
<p><a class="button small" href="${newPath(path, kind)}" aria-describedby="about-${kind}">${t.html(`applications.new.${kind}`)}</a></p>
</div>`;
}

export function newPath(path: string, kind: SoftwareKind): string {
  return kind === 'signIn' ? `${path}/new?for=sign-in` : `${path}/new?audience=${kind}`;
}

function card(t: Translator, path: string, application: ListedApplications[number], creator?: string): Html {
  const { clientId, clientName, people, lastActiveAt, status } = application;
  return html`<li>
<h2><a href="${path}/${clientId}">${isolated(shortName(clientName))}</a> ${badges(t, application)}${statusNote(t, status)}</h2>
<p class="soft">${peopleLine(t, application, people)}${lastActiveAt !== undefined && html`${t.html('connected.active.on', { date: t.date(lastActiveAt) })} · `}${createdLine(t, application, creator)}<br>${t.html('form.clientId')} <code>${clientId}</code></p>
</li>`;
}

/** Nobody connects to a service. */
export function peopleLine(t: Translator, { audience }: Application, people: number): Html | false {
  return audience !== 'service' && html`${t.html('applications.people', { count: people })} · `;
}

export function createdLine(t: Translator, { createdAt }: Application, creator?: string): Html {
  const date = t.date(createdAt);
  if (creator === undefined) return t.html('applications.created', { date });
  return t.html('applications.created.by', { name: shortName(creator), date });
}

/** The applications of a list, as a table. */
export function applicationsFile(applications: ListedApplications): CsvFile {
  return csvFile('applications', applications, [
    ['form.name', ({ clientName }) => clientName],
    ['form.clientId', ({ clientId }) => clientId],
    ['list.audience', ({ audience }, t) => t.text(`list.audience.${audience}`)],
    ['list.secret', ({ confidential }, t) => t.text(`list.secret.${confidential ? 'confidential' : 'public'}`)],
    ['list.status', ({ status }, t) => t.text(`status.${status}`)],
    ['school.people', ({ people }) => people],
    ['school.active', ({ lastActiveAt }) => csvDay(lastActiveAt)],
    ['list.created', ({ createdAt }) => csvDay(createdAt)],
  ]);
}

export function badges(t: Translator, { audience, confidential, publicKeys, signIn }: Application): Html {
  const kind = t.html(confidential ? 'applications.confidential' : 'applications.public');
  return html`<span class="badge">${t.html(`applications.audience.${audience}`)}</span> <span class="badge">${kind}</span>${signIn && html` <span class="badge">${t.html('applications.signIn')}</span>`}${publicKeys && html` ${keyMark(t)}`}`;
}
