import type { NamedLimit } from '../../../core/boundaries/limit-choices.ts';
import type { PersonAudience } from '../../../core/clients/client.ts';
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
import { limitLine } from '../../../pages/kit/limits.ts';
import { connectionTrust } from './connection-trust.ts';

interface PrintView {
  readonly connection: Connection;
  readonly open: AlwaysOpen;
  /** What it is limited to, with names. */
  readonly limits: readonly NamedLimit[];
}

/** What an app can do and what it cannot, on paper: for parents, and for who answers them. Everything on it is what the service enforces. */
export function printPage(
  { page, site, member, path }: MemberPageContext,
  { connection, open, limits }: PrintView,
): PageBuilder {
  const { id, clientName, audience, scopes, createdAt, expiresAt } = connection;
  const names = { client: shortName(clientName), person: personValues(member).name, school: site.name };
  return (t) => {
    const rows = t.catalogue.rows.filter(({ scope }) => choosable(scopes).includes(scope));
    const views = [
      ...seenRows(t, {
        scopes,
        open,
        school: site.name,
        member,
        pseudonym: connection.pseudonym !== undefined,
        reader: 'others',
      }),
      ...rows.filter((row) => !changesData(row)).map(({ scope }) => t.forOthers(`scope.${scope}`)),
    ];
    const changes = rows.filter(changesData).map(({ scope }) => t.forOthers(`scope.${scope}`));
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
${limits.length > 0 && html`<section><h2>${t.html('connected.print.only')}</h2>${limits.map((limit) => html`<p>${limitLine(t, [limit])}</p>`)}</section>`}
${list(t.html('connected.print.not'), 'block', lacking(t, rows, personAudience(audience)))}
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

/** So many areas are named of what it has nothing of: those in which most could happen. */
const namedAreas = 5;

/** What it cannot do in areas in which such an app could. */
function lacking(t: Translator, granted: readonly ScopeRow[], audience: PersonAudience): Html[] {
  const possible = t.catalogue.rows.filter(
    ({ scope, access }) => access !== 'identity' && t.catalogue.mayHave(audience, scope),
  );
  const areas = byArea(possible).flatMap(([area, rows]) => {
    const own = granted.filter((row) => row.area === area);
    const changes = rows.filter(changesData);
    if (own.some(changesData) || (own.length > 0 && changes.length === 0)) return [];
    return [{ area, isSeen: own.length > 0, weight: changes.flatMap(({ marks = [] }) => marks).length }];
  });
  const named = areas.sort((a, b) => b.weight - a.weight).slice(0, namedAreas);
  return [
    ...named.map(({ area, isSeen }) =>
      t.html(isSeen ? 'connected.print.not.change' : 'connected.print.not.view', {
        areas: t.forOthers(`area.${area}`),
      }),
    ),
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
