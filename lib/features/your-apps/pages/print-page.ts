import { personAudience } from '../../../core/clients/client-metadata.ts';
import type { Connection } from '../../../core/connections/connection.ts';
import type { ScopeRow } from '../../../core/scopes/scopes.ts';
import { epochSeconds } from '../../../kernel/clock.ts';
import { type AlwaysOpen, seenRows } from '../../../pages/kit/always-sees.ts';
import { factList } from '../../../pages/kit/facts.ts';
import { icon, type IconName } from '../../../pages/kit/icons.ts';
import { html, type Html, isolated, shortName, type Translator } from '../../../pages/kit/markup.ts';
import type { MemberPageContext } from '../../../pages/kit/member-page.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import { changesData } from '../../../pages/kit/permission-row.ts';
import { byArea, choosable } from '../../../pages/kit/permissions.ts';
import { personValues } from '../../../pages/kit/person.ts';
import { clientTile } from '../../../pages/kit/tile.ts';
import { appHeader } from '../../../pages/kit/app-header.ts';
import { connectionTrust } from './connection-trust.ts';

interface PrintView {
  readonly connection: Connection;
  readonly open: AlwaysOpen;
}

/** What an app can do and what it cannot, on paper: for parents, and for who answers them. Everything on it is what the service enforces. */
export function printPage(
  { page, site, member, path }: MemberPageContext,
  { connection, open }: PrintView,
): PageBuilder {
  const { id, clientName, audience, scopes, createdAt, expiresAt } = connection;
  const names = { client: shortName(clientName), person: personValues(member).name, school: site.name };
  return (t) => {
    const rows = t.catalogue.rows.filter(({ scope }) => choosable(scopes).includes(scope));
    const views = [
      ...seenRows(t, { scopes, open, school: site.name, member, pseudonym: connection.pseudonym !== undefined }),
      ...rows.filter((row) => !changesData(row)).map(({ scope }) => t.scope(scope)),
    ];
    const changes = rows.filter(changesData).map(({ scope }) => t.scope(scope));
    return {
      page,
      title: t.text('connected.app.title', names),
      heading: t.html('connected.app.title', names),
      header: (heading) =>
        appHeader({
          tile: clientTile(connection),
          name: heading,
          trust: html`<p class="soft">${t.html('connected.print.for', { ...names, date: t.date(epochSeconds()) })}</p>`,
        }),
      body: html`${connectionTrust(t, site, connection)}
<p>${t.html(`connected.print.about.${personAudience(audience)}`, names)}</p>
${list(t.html('connected.print.views'), 'view', views)}
${list(t.html('connected.print.changes'), 'change', changes)}
${list(t.html('connected.print.not'), 'block', lacking(t, rows))}
${factList([
  [t.html('connected.since'), t.date(createdAt)],
  [t.html('connected.print.until'), t.date(expiresAt)],
  [
    t.html('connected.print.end'),
    t.html('connected.print.end.text', { ...names, page: html`<bdi>${site.origin}${path}</bdi>` }),
  ],
])}
<div class="no-print"><p class="soft">${t.html('connected.print.how')}</p>
<a class="back" href="${path}/${id}">${icon('back')}${isolated(names.client)}</a></div>`,
    };
  };
}

function areasOf(rows: readonly ScopeRow[]): Set<string> {
  return new Set(rows.map(({ area }) => area));
}

/** What it has nothing of, by the areas of the catalogue. */
function lacking(t: Translator, rows: readonly ScopeRow[]): Html[] {
  const [changed, granted] = [areasOf(rows.filter(changesData)), areasOf(rows)];
  const all = byArea(t.catalogue.rows.filter(({ access }) => access !== 'identity'));
  const areas = (has: ReadonlySet<string>, of: typeof all): string =>
    new Intl.ListFormat(t.language, { type: 'disjunction' }).format(
      of.filter(([area]) => !has.has(area)).map(([area]) => t.text(`area.${area}`)),
    );
  const views = areas(granted, all);
  const changes = areas(
    changed,
    all.filter(([, of]) => of.some(changesData)),
  );
  return [
    ...(views === '' ? [] : [t.html('connected.print.not.view', { areas: views })]),
    ...(changes === '' ? [] : [t.html('connected.print.not.change', { areas: changes })]),
    t.html('connected.print.not.password'),
  ];
}

function list(heading: Html, name: IconName, rows: readonly Html[]): Html | false {
  const tone = name === 'block' ? 'bad' : undefined;
  return (
    rows.length > 0 &&
    html`<section><h2>${heading}</h2>
<ul class="events">${rows.map((row) => html`<li>${icon(name, tone)}<span>${row}</span></li>\n`)}</ul></section>`
  );
}
