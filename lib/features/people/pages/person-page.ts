import type { AppRequest } from '../../../core/applications/request.ts';
import type { NamedLimit } from '../../../core/boundaries/limit-choices.ts';
import type { ListPage } from '../../../core/clients/listed-client.ts';
import type { Connection } from '../../../core/connections/connection.ts';
import type { SchoolRoles } from '../../../core/access/school-roles.ts';
import type { Member } from '../../../host/school-platform.ts';
import { profileOf } from '../../../host/member-profile.ts';
import { backLink } from '../../../pages/kit/app-header.ts';
import { peoplePath, targetPath } from '../../../pages/kit/console.ts';
import { does } from '../../../pages/kit/does.ts';
import { icon } from '../../../pages/kit/icons.ts';
import { limitLine } from '../../../pages/kit/limits.ts';
import { pageLinks } from '../../../pages/kit/lists.ts';
import { html, type Html, isolated, shortName, type Translator } from '../../../pages/kit/markup.ts';
import { hiddenFields, memberPage, type MemberPageContext } from '../../../pages/kit/member-page.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import { plainRow, rowLink, rowList } from '../../../pages/kit/row-link.ts';
import { stateMark } from '../../../pages/kit/status.ts';
import { clientTile, glyphTile, monogram } from '../../../pages/kit/tile.ts';
import { rolesLine } from '../../../pages/people/person-row.ts';

/** A person of the school, or somebody who has left and is still connected. */
export interface ShownPerson {
  readonly memberId: string;
  readonly member: Member | undefined;
  readonly name: string;
}

/** A connection with what it is limited to. */
export interface ShownConnection {
  readonly connection: Connection;
  readonly limits: readonly NamedLimit[];
}

interface PersonView {
  readonly person: ShownPerson;
  readonly roles: SchoolRoles;
  readonly list: ListPage<Connection>;
  readonly shown: readonly ShownConnection[];
  readonly requests: readonly AppRequest[];
  /** Where requests are, if the school has them. */
  readonly requestsPath: string | undefined;
  /** What apps did for the person. Absent without a log. */
  readonly activity: ((t: Translator) => Html) | undefined;
  /** What the previous request did. */
  readonly done: ((t: Translator) => Html | false) | undefined;
}

/** What a person has: their apps, what they ask for, and what apps did for them. */
export function personPage(context: MemberPageContext, view: PersonView): PageBuilder {
  const { person, roles, list, shown, requests, done } = view;
  const { member, memberId, name } = person;
  const path = peoplePath(context.path, memberId);
  const { email } = member ? profileOf(member) : {};
  return memberPage(context, {
    title: 'person.page',
    values: { name },
    wide: true,
    header: (t, heading) => html`${backLink(peoplePath(context.path), t.html('console.people'))}
<div class="head"><div class="app"><span class="tile">${icon('person')}</span><div>${heading}<p class="soft">${rolesLine(t, roles, member?.roles)}${email !== undefined && html` · ${isolated(email)}`}</p></div></div>
${list.total > 0 && html`<div class="actions"><a class="button" href="${path}&amp;view=print">${t.html('person.print')}</a><a class="button danger" href="${path}&amp;confirm=all">${t.html('person.end.all')}</a></div>`}</div>`,
    body: (t) => html`
${done?.(t)}
<section><h2>${t.html('person.acts', { count: list.total, name })}</h2>
<form method="post" action="${path}">${hiddenFields(context, { action: 'end', person: memberId })}
${rowList(shown.map((each) => connectionRow(t, context.path, each)))}</form>
${pageLinks(t, (page) => `${path}${page > 1 ? `&page=${page}` : ''}`, list)}</section>
${
  requests.length > 0 &&
  html`<section><h2>${t.html('person.requests', { count: requests.length })}</h2>
${rowList(requests.map((asked) => requestRow(t, asked, view.requestsPath)))}</section>`
}
${view.activity?.(t)}`,
  });
}

function connectionRow(t: Translator, appsPath: string, { connection, limits }: ShownConnection): Html {
  const { id, clientId, clientName, createdAt, lastUsedAt } = connection;
  const client = shortName(clientName);
  const used =
    lastUsedAt === undefined ? t.html('person.unused') : t.html('person.used', { date: t.nearDate(lastUsedAt) });
  return plainRow(
    {
      tile: clientTile(connection, undefined, 'small'),
      name: html`<a class="name" href="${targetPath(appsPath, { clientId })}">${isolated(client)}</a>`,
      hint: html`${does(t, connection.scopes)} · ${t.html('person.since', { date: t.nearDate(createdAt) })} · ${used}${limitLine(t, limits)}`,
    },
    html`<button type="submit" name="id" value="${id}" aria-label="${t.text('person.end.of', { client })}">${t.html('person.end')}</button>`,
  );
}

const looks = { open: 'needs_approval', granted: 'allowed', declined: 'blocked' } as const;

function requestRow(t: Translator, asked: AppRequest, path: string | undefined): Html {
  const { app, clientName, note, at, status } = asked;
  const parts = {
    tile: app === 'other' ? monogram(clientName, undefined, 'small') : glyphTile(app, 'small'),
    name: isolated(shortName(clientName)),
    hint: html`${note !== '' && html`“${isolated(shortName(note))}” · `}${t.nearDate(at)}`,
    status: stateMark(looks[status], t.html(status === 'open' ? 'status.needs_approval' : `asked.outcome.${status}`)),
  };
  if (path === undefined) return plainRow(parts);
  return rowLink(status === 'open' ? path : `${path}?status=decided`, parts);
}
