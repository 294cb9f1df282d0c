import type { LimitRefusal, ShownBoundary } from '../../../core/boundaries/limit-choices.ts';
import { limitAlert, limitFields, limitHint } from '../../../pages/kit/limits.ts';
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
import { connectionTrust } from './connection-trust.ts';

interface AppView {
  readonly connection: Connection;
  readonly open: AlwaysOpen;
  /** Where this person decides on the app for the school. @default they do not */
  readonly changePath: string | undefined;
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
  readonly limits: readonly ShownBoundary[];
  /** How long an access token lasts. */
  readonly accessSeconds: number;
  /** Whether it is limited to something that can no longer be chosen, so that no token of it counts. @default it is not */
  readonly removedLimit?: boolean | undefined;
  /** Why the form changes nothing. */
  readonly problem?: 'limits.problem.changed' | undefined;
  /** Why its limits cannot be accepted. */
  readonly limitProblem?: LimitRefusal | undefined;
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
  const isRefused = [refused, view.problem, view.limitProblem].some((each) => each !== undefined);
  const build = memberPage(context, {
    title: 'connected.app.title',
    values: { client },
    status: conflict ? 409 : isRefused ? 400 : 200,
    hasProblems: conflict !== undefined || isRefused,
    header: (t, name) =>
      html`<a class="back" href="${path}">${icon('back')}${t.html('connected.back')}</a>
${appHeader({ tile: clientTile(connection), name, trust: connectionTrust(t, site, connection) })}`,
    body: (t) => html`
${removed > 0 && statusMessage(t, 'connected.removed', { count: removed })}
${added > 0 && statusMessage(t, 'connected.added', { count: added, client })}
${view.limited === true && statusMessage(t, 'limits.changed')}
${isOver && statusMessage(t, 'connected.device.ended')}
${conflict && problem(staleText(t, conflict))}
${refused && problem(t.html(refused))}
${view.problem && problem(t.html(view.problem))}
${view.limitProblem && problem(html`<a href="#limits.${view.limitProblem.type}">${limitAlert(t, view.limitProblem, view.limits)}</a>`)}
${view.removedLimit === true && noticeBlock('warn', html`<p>${t.html('limits.removed')}</p><a class="button" href="${path}/${id}?confirm=end">${t.html('connected.end')}</a>`)}
<p>${t.html(`connected.acts.${personAudience(audience)}`, { date: t.nearDate(expiresAt) })}${firstParty && html` ${t.html('connected.firstParty.about', { school: site.name })}`} <a href="${path}/${id}?view=print">${t.html('connected.print')}</a></p>
${view.activity?.(t)}
<form class="decide" method="post" action="${path}/${id}">
${hiddenFields(context, { version: connection.version })}
${permissions(t, view)}
${withheld(t, context, view)}
${alwaysSees(t, { scopes: connection.scopes, open, school: site.name, member: context.member, pseudonym: connection.pseudonym !== undefined })}
${familyList(t, view)}
${technicalDetails(t, facts(t, connection))}
<div class="actions stay">${canChange(view) && html`<button class="primary" type="submit">${t.html('connected.keep')}</button>`}<a class="button danger" href="${path}/${id}?confirm=end">${t.html('connected.end')}</a></div>
</form>
<form id="devices" method="post" action="${path}/${id}">${hiddenFields(context, { action: 'end-device' })}</form>`,
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

function canChange({ connection, givable }: AppView): boolean {
  return choosable([...connection.scopes, ...givable]).length > 0;
}

/** What it has, what the person can give it in addition, and what that is for: one form, since each is a tick. */
function permissions(t: Translator, view: AppView): Html {
  const { connection, givable, limits, accessSeconds } = view;
  const { clientName, scopes } = connection;
  if (!canChange(view)) return html`<p>${t.html('connected.nothing')}</p>`;
  const more = new Set(choosable(givable));
  const limited = limitHint(t, limits, 'limits.below');
  const choice = {
    ticked: (scope: Scope): boolean => view.ticked?.has(scope) ?? scopes.includes(scope),
    field: (scope: Scope) => (more.has(scope) ? 'add' : 'scope'),
    hint: (scope: Scope) => {
      const notes = [more.has(scope) && t.html('connected.more'), limited(scope)].filter((each) => each !== false);
      return notes.length > 0 && html`${notes.map((each, i) => html`${i > 0 && ' '}${each}`)}`;
    },
  };
  const all = choosable([...scopes, ...more]);
  const { view: views = [], change: changes = [] } = Object.groupBy(all, (scope) =>
    t.catalogue.row(scope)?.access === 'write' ? 'change' : 'view',
  );
  const question = (title: TextKey, asked: readonly Scope[]): Html | false =>
    asked.length > 0 &&
    html`<fieldset><legend><h2>${t.html(title)}</h2></legend>${permissionRows(t, asked, choice)}</fieldset>`;
  const client = shortName(clientName);
  return html`${question('consent.asks.view', views)}
${question('consent.asks.change', changes)}
${limitFields(t, limits)}
<p class="soft">${t.html('connected.keep.hint')}${more.size > 0 && html` ${t.html('connected.more.hint', { client, hours: Math.ceil(accessSeconds / 3600) })}`}</p>`;
}

/** What it asked for, and the person cannot give it here now. */
function withheld(
  t: Translator,
  { site }: MemberPageContext,
  { connection, givable, changePath }: AppView,
): Html | false {
  const { refused, clientName } = connection;
  const listed = choosable(refused)
    .filter((scope) => !givable.includes(scope))
    .map((scope) => html`<li>${t.scope(scope)}</li>`);
  const who =
    changePath === undefined
      ? html`<p class="soft">${t.html('connected.refused.who', { school: site.name })}</p>`
      : html`<p><a href="${changePath}">${t.html('connected.refused.you')}</a></p>`;
  return (
    listed.length > 0 &&
    html`<section><h2>${t.html('connected.refused')}</h2><p class="soft">${t.html('connected.refused.how', { client: shortName(clientName) })}</p><ul>${listed}</ul>${who}</section>`
  );
}

/** The token families of the connection, which people know as devices. A record of one has only when it last received tokens; the log may know when and where the person signed in. */
function familyList(t: Translator, { connection, log }: AppView): Html | false {
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
      html`<button type="submit" form="devices" name="device" value="${family.id}" aria-label="${t.text('connected.device.end.one', number)}">${t.html('connected.device.end')}</button>`,
    );
  };
  return html`<section><h2>${t.html('connected.devices')}</h2>
<p class="soft">${t.html('connected.devices.about')}</p>
${rowList(families.map(row))}</section>`;
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
