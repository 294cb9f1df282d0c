import type { LimitProblem, ShownBoundary } from '../../../core/boundaries/limit-choices.ts';
import { limitFields } from '../../page-parts.ts';
import { personAudience } from '../../../core/clients/client-metadata.ts';
import type { Connection } from '../../../core/connections/connection.ts';
import { tellsNames } from '../../../host/member-claims.ts';
import type { TextKey } from '../../../i18n/texts.ts';
import { secondsOf } from '../../../pages/activity/sentences.ts';
import { keyMark } from '../../../pages/kit/marks.ts';
import { html, type Html, isolated, shortName, type Translator } from '../../../pages/kit/markup.ts';
import { fact } from '../../../pages/kit/facts.ts';
import { hiddenFields, memberPage, type MemberPageContext } from '../../../pages/kit/member-page.ts';
import { monogram } from '../../../pages/kit/tile.ts';
import { statusMessage } from '../../../pages/kit/notice.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import { type AlwaysOpen, alwaysSees } from '../../../pages/kit/always-sees.ts';
import { choosable, needsWidth, permissionRows } from '../../../pages/kit/permissions.ts';
import type { AuditEvent } from '../../../observe/audit-event.ts';
import { marks } from './list-page.ts';

interface AppView {
  readonly connection: Connection;
  readonly open: AlwaysOpen;
  /** How many permissions the previous request has removed. */
  readonly removed?: number | undefined;
  /** The token family that the person has signed out. */
  readonly signedOut?: string | undefined;
  /** The host's log, if it could be read. */
  readonly log: readonly AuditEvent[] | undefined;
  /** What the app did last; absent if the host does not provide its log. */
  readonly activity: ((t: Translator) => Html) | undefined;
  /** What the person can limit it to. */
  readonly limits: readonly ShownBoundary[];
  /** Whether it is limited to something that can no longer be chosen, so that no token of it counts. @default it is not */
  readonly removedLimit?: boolean | undefined;
  /** Why the form of the limits changes nothing. */
  readonly problem?: LimitProblem | undefined;
  /** Whether the previous request has changed them. */
  readonly limited?: boolean | undefined;
  /** What was left ticked on a form that cannot be accepted, since it keeps nothing. */
  readonly kept?: ReadonlySet<string> | undefined;
}

/** One connected app: what it sees and may do, since when and until when, what it did last, and on which devices it is. */
export function appPage(context: MemberPageContext, view: AppView): PageBuilder {
  const { site, path } = context;
  const { connection, open, removed = 0, signedOut, kept } = view;
  const client = shortName(connection.clientName);
  // Visitors can come back to the address of a message.
  const isOver = signedOut !== undefined && connection.devices?.every(({ id }) => id !== signedOut) === true;
  return memberPage(context, {
    title: 'connected.app.title',
    values: { client },
    status: kept || view.problem ? 400 : 200,
    hasProblems: kept !== undefined || view.problem !== undefined,
    wide: needsWidth(connection.scopes),
    above: html`<div class="app">${monogram(connection.clientName)}</div>`,
    body: (t) => html`
${removed > 0 && statusMessage(t, 'connected.removed', { count: removed })}
${view.limited === true && statusMessage(t, 'limits.changed')}
${isOver && statusMessage(t, 'connected.device.ended')}
${kept && html`<div class="problems" role="alert" tabindex="-1" autofocus>${t.html('connected.keep.none')}</div>`}
<dl class="facts">${facts(t, context, connection)}</dl>
${connection.firstParty && html`<p class="soft">${t.html('connected.firstParty.about', { school: site.name })}</p>`}
${view.problem && html`<div class="problems" role="alert" tabindex="-1" autofocus>${t.html(view.problem)}</div>`}
${permissions(t, context, view)}
${view.removedLimit === true && html`<p class="soft">${t.html('limits.removed')}</p>`}
${limitForm(t, context, view)}
${refused(t, connection)}
${alwaysSees(t, { scopes: connection.scopes, open, school: site.name, pseudonym: connection.pseudonym !== undefined })}
${view.activity?.(t)}
${familyList(t, context, view)}
<section>
<h2>${t.html('connected.end.one', { client })}</h2>
<p>${t.html('connected.end.about')}</p>
<form method="post" action="${path}">
${hiddenFields(context, { action: 'end', id: connection.id })}
<button class="danger small" type="submit">${t.html('connected.end')}</button>
</form>
</section>
<p class="actions"><a href="${path}">${t.html('connected.back')}</a></p>`,
  });
}

function facts(t: Translator, { site }: MemberPageContext, connection: Connection): Html[] {
  const { clientName, host, audience, pseudonym, createdAt, allowedAt, lastUsedAt, expiresAt } = connection;
  const claimed = marks(t, connection);
  const rows: readonly (readonly [TextKey, Html | false])[] = [
    // The heading has the name of the others.
    ['consent.application', claimed && html`${isolated(shortName(clientName))}${claimed}`],
    ['consent.website', host !== undefined && isolated(host)],
    ['client.proof', connection.usesKey === true && keyMark(t)],
    ['connected.acts', t.html(`connected.audience.${personAudience(audience)}`, { school: site.name })],
    [
      'connected.pseudonym',
      pseudonym !== undefined &&
        t.html(tellsNames(connection.scopes) ? 'connected.pseudonym.named' : 'connected.pseudonym.alone'),
    ],
    ['connected.since', t.date(createdAt)],
    ['connected.allowed', allowedAt > createdAt && t.date(allowedAt)],
    ['connected.used', lastUsedAt !== undefined && t.date(lastUsedAt)],
    ['connected.until', t.date(expiresAt)],
  ];
  return rows.flatMap(([name, value]) => (value ? fact(t.html(name), value) : []));
}

function permissions(t: Translator, context: MemberPageContext, { connection, kept }: AppView): Html {
  const { id, scopes } = connection;
  if (choosable(scopes).length === 0) return html`<p>${t.html('connected.nothing')}</p>`;
  return html`<form method="post" action="${context.path}/${id}">
${hiddenFields(context)}
<fieldset class="scopes">
<legend><h2>${t.html('connected.may')}</h2></legend>
<p class="soft">${t.html('connected.keep.hint')}</p>
${permissionRows(t, scopes, { ticked: (scope) => kept?.has(scope) ?? true })}
</fieldset>
<button class="small" type="submit">${t.html('connected.keep')}</button>
</form>`;
}

/** What it is limited to, with all that can be chosen. */
function limitForm(t: Translator, context: MemberPageContext, { connection, limits }: AppView): Html | false {
  if (limits.length === 0) return false;
  return html`<form method="post" action="${context.path}/${connection.id}">
${hiddenFields(context, { action: 'limit' })}
${limitFields(t, limits)}
<button class="small" type="submit" name="select" value="save">${t.html('limits.save')}</button>
</form>`;
}

function refused(t: Translator, { refused: scopes }: Connection): Html | false {
  const listed = choosable(scopes).map((scope) => html`<li>${t.scope(scope)}</li>`);
  return listed.length > 0 && html`<section><h2>${t.html('connected.refused')}</h2><ul>${listed}</ul></section>`;
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
    return html`<li><div><p>${familyFacts(t, family.lastUsedAt, signIn)}</p></div>
<button class="small" type="submit" name="device" value="${family.id}" aria-label="${t.text('connected.device.end.one', number)}">${t.html('connected.device.end')}</button></li>
`;
  };
  return html`<section><h2>${t.html('connected.devices')}</h2>
<p class="soft">${t.html('connected.devices.about')}</p>
<form method="post" action="${context.path}/${id}">
${hiddenFields(context, { action: 'end-device' })}
<ul class="apps">${families.map(row)}</ul>
</form></section>`;
}

function familyFacts(t: Translator, lastUsedAt: number | undefined, signIn: AuditEvent | undefined): Html {
  const used = lastUsedAt !== undefined && t.html('connected.device.used', { time: t.moment(lastUsedAt) });
  if (!signIn) return used || t.html('connected.device.unknown');
  return html`${used && html`${used}<br>`}${signedIn(t, signIn)}`;
}

function signedIn(t: Translator, { address, ...event }: AuditEvent): Html {
  const time = t.moment(secondsOf(event));
  if (!address) return t.html('connected.device.signedIn', { time });
  return t.html('connected.device.from', { time, address: shortName(address) });
}
