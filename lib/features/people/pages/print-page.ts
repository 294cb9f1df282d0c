import { forOthers } from '../../../i18n/texts.ts';
import type { ScopeRow } from '../../../core/scopes/scopes.ts';
import { epochSeconds } from '../../../kernel/clock.ts';
import { peoplePath } from '../../../pages/kit/console.ts';
import { icon, type IconName } from '../../../pages/kit/icons.ts';
import { limitLine } from '../../../pages/kit/limits.ts';
import { html, type Html, isolated, shortName, type Translator } from '../../../pages/kit/markup.ts';
import type { MemberPageContext } from '../../../pages/kit/member-page.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import { changesData } from '../../../pages/kit/permission-row.ts';
import { byArea } from '../../../pages/kit/permissions.ts';
import { clientTile } from '../../../pages/kit/tile.ts';
import type { ShownConnection, ShownPerson } from './person-page.ts';

/** What the apps of a person can do, on paper: for who answers a parent. Everything on it is what the service enforces. */
export function printPersonPage(
  { page, site, path }: MemberPageContext,
  { memberId, name }: ShownPerson,
  shown: readonly ShownConnection[],
): PageBuilder {
  return (t) => ({
    page,
    title: t.text('person.print.title', { name }),
    heading: t.html('person.print.title', { name }),
    belowHeading: html`<p class="soft">${t.html('person.print.for', { school: site.name, date: t.date(epochSeconds()) })}</p>`,
    body: html`${shown.map((each) => app(t, each))}
<div class="no-print"><p class="soft">${t.html('person.print.how')}</p>
<a class="back" href="${peoplePath(path, memberId)}">${icon('back')}${isolated(name)}</a></div>`,
  });
}

/** The page names so many areas that an app cannot change. */
const namedAreas = 5;

function app(t: Translator, { connection, limits }: ShownConnection): Html {
  const { clientName, scopes, createdAt, expiresAt } = connection;
  const rows = t.catalogue.rows.filter(({ scope }) => scopes.includes(scope));
  const line = (row: ScopeRow, name: IconName): Html =>
    html`<li>${icon(name)}<span>${t.forOthers(`scope.${row.scope}`)}</span></li>`;
  const dates = { since: t.date(createdAt), until: t.date(expiresAt) };
  return html`<section><div class="app">${clientTile(connection, undefined, 'small')}<div><h2>${isolated(shortName(clientName))}</h2><p class="soft">${t.html('person.print.dates', dates)}${limitLine(t, limits)}</p></div></div>
<ul class="events">${rows.filter((row) => !changesData(row)).map((row) => line(row, 'view'))}${rows.filter(changesData).map((row) => line(row, 'change'))}
</ul>
${lacking(t, rows)}</section>`;
}

function lacking(t: Translator, rows: readonly ScopeRow[]): Html | false {
  const changed = new Set(rows.filter(changesData).map(({ area }) => area));
  const others = byArea(t.catalogue.rows.filter(changesData))
    .map(([area]) => area)
    .filter((area) => !changed.has(area));
  if (others.length === 0) return false;
  const names = others.slice(0, namedAreas).map((area) => t.text(forOthers(t.has, t.catalogue, `area.${area}`)));
  const areas = new Intl.ListFormat(t.language, { type: 'disjunction' }).format(names);
  return html`<h3>${t.html('connected.print.not')}</h3>
<ul class="events"><li>${icon('block', 'bad')}<span>${t.html('connected.print.not.change', { areas })}</span></li></ul>`;
}
