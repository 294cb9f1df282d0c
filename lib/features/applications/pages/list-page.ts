import { inParts } from '../../../kernel/in-parts.ts';
import { paths } from '../../../http/paths.ts';
import { csvDay, csvFile, type CsvFile } from '../../../pages/kit/csv.ts';
import { emptyState } from '../../../pages/kit/empty-state.ts';
import { icon } from '../../../pages/kit/icons.ts';
import {
  csvLink,
  foundLine,
  isNarrowed,
  listAddress,
  listForm,
  type Listing,
  listPages,
} from '../../../pages/kit/lists.ts';
import { html, type Html, isolated, shortName, type Translator } from '../../../pages/kit/markup.ts';
import { memberPage, type MemberPageContext } from '../../../pages/kit/member-page.ts';
import { menu } from '../../../pages/kit/menu.ts';
import { statusMessage } from '../../../pages/kit/notice.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import { rowLink, rowList } from '../../../pages/kit/row-link.ts';
import { statusMark } from '../../../pages/kit/status.ts';
import { appCell, table } from '../../../pages/kit/table.ts';
import { kindLine, newPath, type SoftwareKind, softwareTile } from './software-kind.ts';
import type { ListPage } from '../../../core/clients/listed-client.ts';
import type { ListedApplication } from '../../../core/applications/application.ts';

interface ListView {
  readonly list: ListPage<ListedApplication>;
  readonly listing: Listing;
  /** What the previous request removed: a service, or an app with so many connections that have ended. */
  readonly removed?: 'service' | number | undefined;
  /** Whether there can be services. */
  readonly services: boolean;
  /** Where people read how to connect an assistant, if there are tools. */
  readonly assistantsPath: string | undefined;
}

/** A shorter list has no search. */
const searched = 10;

/** What the school has added itself. */
export function listPage(context: MemberPageContext, view: ListView): PageBuilder {
  const { path, site } = context;
  const { list, listing, services } = view;
  const isSearched = isNarrowed(listing) || list.total >= searched;
  return memberPage(context, {
    title: 'applications.title',
    wide: true,
    header: (t, heading) =>
      html`<div class="head">${heading}<div class="actions">${list.total > 0 && csvLink(t, listAddress(listing, { format: 'csv' }))}${newMenu(t, path, services)}</div></div>`,
    body: (t) => html`
${removedMessage(t, view)}
<p>${t.html('applications.intro', { school: site.name })}</p>
${isSearched && listForm(t, listing)}
${foundLine(t, listing, list)}
${list.length > 0 && applicationTable(t, path, list)}
${!isNarrowed(listing) && list.total === 0 && emptyState({ icon: 'code', text: t.html('applications.none') })}
${listPages(t, listing, list)}
${help(t, view, path)}`,
  });
}

function removedMessage(t: Translator, { removed }: ListView): Html | false {
  if (removed === 'service') return statusMessage(t, 'applications.removed.service');
  return removed !== undefined && statusMessage(t, 'applications.removed', { count: removed });
}

const kinds: readonly SoftwareKind[] = ['member', 'operator', 'signIn', 'service'];

function newMenu(t: Translator, path: string, services: boolean): Html {
  const choices = kinds
    .filter((kind) => kind !== 'service' || services)
    .map((kind) => ({
      href: newPath(path, kind),
      icon: ({ member: 'person', operator: 'apps', signIn: 'key', service: 'loop' } as const)[kind],
      name: t.html(`applications.kind.${kind}`),
      hint: t.html(`applications.hint.${kind}`),
    }));
  return menu(html`${icon('plus')}${t.html('applications.new')}`, choices);
}

function applicationTable(t: Translator, path: string, applications: ListPage<ListedApplication>): Html {
  const columns = [
    { heading: t.html('consent.application') },
    { heading: t.html('list.status') },
    { heading: t.html('school.people'), kind: 'moreNumber' },
    { heading: t.html('list.used'), kind: 'moreNumber' },
  ] as const;
  return table(
    t.html('applications.title'),
    columns,
    applications.map((application) => row(t, path, application)),
  );
}

function row(t: Translator, path: string, application: ListPage<ListedApplication>[number]): Html[] {
  const { clientId, clientName, audience, status, people, lastActiveAt } = application;
  return [
    appCell({
      tile: softwareTile(application, 'small'),
      href: `${path}/${clientId}`,
      name: isolated(shortName(clientName)),
      hint: kindLine(t, application),
    }),
    statusMark(t, status),
    audience === 'service' ? html`–` : html`${people}`,
    lastActiveAt === undefined ? t.html('list.never') : t.nearDate(lastActiveAt),
  ];
}

function help(t: Translator, { assistantsPath }: ListView, path: string): Html {
  const link = (href: string, name: 'block' | 'book' | 'chat', of: 'refused' | 'guide' | 'assistants'): Html =>
    rowLink(href, { tile: icon(name), name: t.html(`help.${of}`), hint: t.html(`help.${of}.hint`) });
  return html`<section><h2>${t.html('help.title')}</h2>${rowList([
    link(`${path}/refused`, 'block', 'refused'),
    link(paths.guide, 'book', 'guide'),
    ...(assistantsPath === undefined ? [] : [link(assistantsPath, 'chat', 'assistants')]),
  ])}</section>`;
}

/** The applications of a list, as a table. */
export function applicationsFile(applications: ListPage<ListedApplication>): CsvFile {
  return csvFile('applications', inParts(applications), [
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
