import type { LimitProblem } from '../../../core/boundaries/limit-choices.ts';
import { limitFields } from '../../../pages/kit/limits.ts';
import { personAudience } from '../../../core/clients/client-metadata.ts';
import type { Connection } from '../../../core/connections/connection.ts';
import type { Scope } from '../../../core/scopes/scopes.ts';
import { tellsNames } from '../../../host/member-claims.ts';
import type { TextKey } from '../../../i18n/texts.ts';
import { secondsOf } from '../../../pages/activity/sentences.ts';
import { appHeader } from '../../../pages/kit/app-header.ts';
import { keyMark } from '../../../pages/kit/marks.ts';
import { html, type Html, isolated, shortName, type Translator } from '../../../pages/kit/markup.ts';
import { icon } from '../../../pages/kit/icons.ts';
import { fact } from '../../../pages/kit/facts.ts';
import { technicalDetails } from '../../../pages/kit/error-page.ts';
import { type Conflict, staleText } from '../../../pages/kit/conflict.ts';
import { hiddenFields, memberPage, type MemberPageContext } from '../../../pages/kit/member-page.ts';
import { clientTile } from '../../../pages/kit/tile.ts';
import { noticeBlock, statusMessage } from '../../../pages/kit/notice.ts';
import { problem } from '../../../pages/kit/problems.ts';
import { plainRow, rowList } from '../../../pages/kit/row-link.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import { type AlwaysOpen, alwaysSees } from '../../../pages/kit/always-sees.ts';
import { choosable, permissionRows } from '../../../pages/kit/permissions.ts';
import type { AuditEvent } from '../../../observe/audit-event.ts';
import type { AppLimits } from './app-limits.ts';
import { trust } from './trust.ts';

interface AppView {
  readonly connection: Connection;
  readonly open: AlwaysOpen;
  /** What the person can give it in addition. */
  readonly givable: readonly Scope[];
  /** How many permissions the previous request has removed, and how many it has added. */
  readonly removed?: number | undefined;
  readonly added?: number | undefined;
  /** The token family that the person has signed out. */
  readonly signedOut?: string | undefined;
  /** The host's log, if it could be read. */
  readonly log: readonly AuditEvent[] | undefined;
  /** What the app did last; absent if the host does not provide its log. */
  readonly activity: ((t: Translator) => Html) | undefined;
  /** What the person can limit it to. */
  readonly limits: AppLimits;
  /** Whether it is limited to something that can no longer be chosen, so that no token of it counts. @default it is not */
  readonly removedLimit?: boolean | undefined;
  /** Why the form of the limits changes nothing. */
  readonly problem?: LimitProblem | undefined;
  /** What has changed since the form was shown, which changes nothing. @default nothing */
  readonly conflict?: Conflict | undefined;
  /** Whether the previous request has changed them. */
  readonly limited?: boolean | undefined;
  /** The permissions that were ticked in a form that is shown again. @default those that it has */
  readonly ticked?: ReadonlySet<string> | undefined;
  /** Why the form of the permissions cannot be accepted. */
  readonly refused?: RefusedChoice | undefined;
}

export type RefusedChoice = 'connected.keep.none' | 'connected.more.gone';

/** One connected app: what it did last, what it may do, on which devices it is, and how to end that. */
export function appPage(context: MemberPageContext, view: AppView): PageBuilder {
  const { site, path } = context;
  const { connection, open, removed = 0, added = 0, signedOut, refused, conflict } = view;
  const { id, clientName, audience, firstParty, expiresAt } = connection;
  const client = shortName(clientName);
  // Visitors can come back to the address of a message.
  const isOver = signedOut !== undefined && connection.devices?.every((device) => device.id !== signedOut) === true;
  const build = memberPage(context, {
    title: 'connected.app.title',
    values: { client },
    status: conflict ? 409 : refused || view.problem ? 400 : 200,
    hasProblems: conflict !== undefined || refused !== undefined || view.problem !== undefined,
    header: (t, name) =>
      html`<a class="back" href="${path}">${icon('back')}${t.html('connected.back')}</a>
${appHeader({ tile: clientTile(connection), name, trust: trust(t, site, connection) })}`,
    body: (t) => html`
${removed > 0 && statusMessage(t, 'connected.removed', { count: removed })}
${added > 0 && statusMessage(t, 'connected.added', { count: added, client })}
${view.limited === true && statusMessage(t, 'limits.changed')}
${isOver && statusMessage(t, 'connected.device.ended')}
${conflict && problem(staleText(t, conflict))}
${refused && problem(t.html(refused))}
${view.problem && problem(t.html(view.problem))}
${view.removedLimit === true && noticeBlock('warn', html`<p>${t.html('limits.removed')}</p><a class="button" href="${path}/${id}?confirm=end">${t.html('connected.end')}</a>`)}
<p>${t.html(`connected.acts.${personAudience(audience)}`, { school: site.name, date: t.nearDate(expiresAt) })}${firstParty && html` ${t.html('connected.firstParty.about', { school: site.name })}`}</p>
<a class="back" href="${path}/${id}?view=print">${t.html('connected.print')}</a>
${view.activity?.(t)}
${permissions(t, context, view)}
${limitForm(t, context, view)}
${withheld(t, context, view)}
${alwaysSees(t, { scopes: connection.scopes, open, school: site.name, member: context.member, pseudonym: connection.pseudonym !== undefined })}
${familyList(t, context, view)}
${technicalDetails(t, facts(t, connection))}
<section>
<h2>${t.html('connected.end.one', { client })}</h2>
<p class="soft">${t.html('connected.end.about')}</p>
<p class="actions"><a class="button danger" href="${path}/${id}?confirm=end">${t.html('connected.end')}</a></p>
</section>`,
  });
  return (t) => ({ ...build(t), heading: isolated(client) });
}

function facts(t: Translator, connection: Connection): Html[] {
  const { clientId, pseudonym, createdAt, allowedAt, lastUsedAt, usesKey } = connection;
  const rows: readonly (readonly [TextKey, Html | false])[] = [
    ['connected.since', t.date(createdAt)],
    ['connected.allowed', allowedAt > createdAt && t.date(allowedAt)],
    ['connected.used', lastUsedAt !== undefined && t.date(lastUsedAt)],
    [
      'connected.pseudonym',
      pseudonym !== undefined &&
        t.html(tellsNames(connection.scopes) ? 'connected.pseudonym.named' : 'connected.pseudonym.alone'),
    ],
    ['client.proof', usesKey === true && keyMark(t)],
    ['form.clientId', html`<code>${isolated(clientId)}</code>`],
  ];
  return rows.flatMap(([name, value]) => (value ? fact(t.html(name), value) : []));
}

/** What it has, and what the person can give it in addition: one form, since each is a tick. */
function permissions(t: Translator, context: MemberPageContext, view: AppView): Html {
  const { connection, givable, limits } = view;
  const { id, clientName, scopes } = connection;
  const heading = html`<h2>${t.html('connected.may')}</h2>`;
  const more = choosable(givable);
  const nothing = choosable(scopes).length === 0;
  if (nothing && more.length === 0) return html`<section>${heading}<p>${t.html('connected.nothing')}</p></section>`;
  const ticked = (scope: Scope): boolean => view.ticked?.has(scope) ?? scopes.includes(scope);
  return html`<section><form class="flow" method="post" action="${context.path}/${id}">
<section>${heading}
<p class="soft">${t.html(nothing ? 'connected.nothing' : 'connected.keep.hint')}</p>
${hiddenFields(context, { version: connection.version })}
${permissionRows(t, scopes, { ticked })}</section>
${
  more.length > 0 &&
  html`<section><h2>${t.html('connected.more')}</h2>
<p class="soft">${t.html('connected.more.hint', { client: shortName(clientName) })}</p>
${permissionRows(t, more, { ticked, field: 'add' })}</section>`
}
${limits.withPermissions && limitFields(t, limits.shown)}
<button type="submit">${t.html('connected.keep')}</button>
</form></section>`;
}

/** What it is limited to, with all that can be chosen. */
function limitForm(t: Translator, context: MemberPageContext, { connection, limits }: AppView): Html | false {
  if (limits.withPermissions || limits.shown.length === 0) return false;
  return html`<form method="post" action="${context.path}/${connection.id}">
${hiddenFields(context, { action: 'limit', version: connection.version })}
${limitFields(t, limits.shown)}
<button type="submit" name="select" value="save">${t.html('limits.save')}</button>
</form>`;
}

/** What it asked for, and the person cannot give it here now. */
function withheld(t: Translator, { site }: MemberPageContext, { connection, givable }: AppView): Html | false {
  const listed = choosable(connection.refused)
    .filter((scope) => !givable.includes(scope))
    .map((scope) => html`<li>${t.scope(scope)}</li>`);
  return (
    listed.length > 0 &&
    html`<section><h2>${t.html('connected.refused')}</h2><p class="soft">${t.html('connected.refused.how', { school: site.name })}</p><ul>${listed}</ul></section>`
  );
}

/** The token families of the connection, which people know as devices. A record of one has only when it last received tokens; the log may know when and where the person signed in. */
function familyList(t: Translator, context: MemberPageContext, { connection, log }: AppView): Html | false {
  const { id, devices: families = [] } = connection;
  if (families.length === 0) return false;
  const row = (family: (typeof families)[number], i: number): Html => {
    const signIn = log?.find(
      ({ action, connectionId, familyId }) =>
        action === 'authorization.granted' && connectionId === id && familyId === family.id,
    );
    const number = { number: i + 1, count: families.length };
    return plainRow(
      { tile: icon('device'), ...familyFacts(t, family.lastUsedAt, signIn) },
      html`<button type="submit" name="device" value="${family.id}" aria-label="${t.text('connected.device.end.one', number)}">${t.html('connected.device.end')}</button>`,
    );
  };
  return html`<section><h2>${t.html('connected.devices')}</h2>
<p class="soft">${t.html('connected.devices.about')}</p>
<form method="post" action="${context.path}/${id}">
${hiddenFields(context, { action: 'end-device' })}
${rowList(families.map(row))}
</form></section>`;
}

function familyFacts(
  t: Translator,
  lastUsedAt: number | undefined,
  signIn: AuditEvent | undefined,
): { readonly name: Html; readonly hint?: Html } {
  const used = lastUsedAt !== undefined && t.html('connected.device.used', { time: t.nearMoment(lastUsedAt) });
  if (!signIn) return { name: used || t.html('connected.device.unknown') };
  return used ? { name: used, hint: signedIn(t, signIn) } : { name: signedIn(t, signIn) };
}

function signedIn(t: Translator, { address, ...event }: AuditEvent): Html {
  const time = t.nearMoment(secondsOf(event.time));
  if (!address) return t.html('connected.device.signedIn', { time });
  return t.html('connected.device.from', { time, address: shortName(address) });
}
