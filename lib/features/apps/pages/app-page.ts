import type { FormTranslator } from '../../../pages/kit/application-field.ts';
import type { ConnectedClient } from '../../../core/clients/listed-client.ts';
import type { Scope, ScopeCatalogue } from '../../../core/scopes/scopes.ts';
import { type Conflict, staleText } from '../../../pages/kit/conflict.ts';
import type { ShownVersion } from '../../../core/access/app-review.ts';
import type { TextKey } from '../../../i18n/texts.ts';
import { appHeader } from '../../../pages/kit/app-header.ts';
import { targetPath } from '../../../pages/kit/console.ts';
import { copyMark, keyRow } from '../../../pages/kit/marks.ts';
import { statusMark } from '../../../pages/kit/status.ts';
import { html, type Html, isolated, shortName, type Translator } from '../../../pages/kit/markup.ts';
import { fact } from '../../../pages/kit/facts.ts';
import { memberPage, type MemberPageContext } from '../../../pages/kit/member-page.ts';
import { type AppKind, appTile, monogram } from '../../../pages/kit/tile.ts';
import { trustOf } from '../../../pages/kit/trust.ts';
import { notice, noticeBlock, statusMessage } from '../../../pages/kit/notice.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import { isIdentity, scopeList } from '../../../pages/kit/permissions.ts';
import { allowedPeople } from './allowed-people.ts';
import { decisionForm, scopeLimits } from './decision-form.ts';
import { decidedLine, hidesPeople, inForce, onlyViews } from './decision-in-force.ts';
import { type DecisionView, targetFields, targetOf } from './decision-view.ts';
import { appPeople, type AppPeople } from '../../../pages/people/app-people.ts';
import { backToApps } from './reviews-page.ts';
import type { ChangedPart } from '../../../core/clients/expected-version.ts';

/** What an administrator did not see when they decided. */
export type StaleDecision = Exclude<ChangedPart, 'decision'> | Conflict;

/** What came of what an administrator did. */
export interface AppNotice {
  /** What the previous request did. */
  readonly done: unknown;
  /** What has changed while the administrator looked at it, or who decided on it. @default nothing */
  readonly stale?: StaleDecision | undefined;
}

/** An app or client of the school: all to know and to decide. */
export interface AppView extends DecisionView, AppNotice {
  /** The client, if it is one. @default a known app with all its clients */
  readonly client?: ConnectedClient | undefined;
  readonly kind: AppKind;
  /** How many connections the previous request has ended, and how many it has left to the next refresh. @default none */
  readonly effect?: Readonly<Record<'ended' | 'later', string>> | undefined;
  readonly applicationsPath: string | undefined;
  /** What happened last; absent if the host does not provide its log. */
  readonly activity: ((t: Translator) => Html) | undefined;
  /** Some of its people. Absent for a service, to which nobody connects. */
  readonly appPeople: AppPeople | undefined;
  /** Whom the previous request has disconnected. */
  readonly disconnected: string | undefined;
}

export function appPage(context: MemberPageContext, view: AppView): PageBuilder {
  const { client, document, stale, listed, kind } = view;
  const { path } = context;
  const name = shortName(listed.clientName);
  const target = targetOf(listed);
  return memberPage(context, {
    title: 'apps.name',
    values: { client: name },
    wide: true,
    status: stale !== undefined ? 409 : view.attempt ? 400 : 200,
    header: (t, heading) => html`${backToApps(t, path)}
${appHeader({
  tile: document?.logo?.approved === true ? monogram(name, document.logo.picture) : appTile(kind),
  name: heading,
  trust: trustOf(t, context.site.name, kind),
  status: statusMark(t, listed.status),
})}`,
    body: (t) => html`
${view.disconnected === undefined ? doneMessage(t, view) : statusMessage(t, 'person.ended', { client: name, name: view.disconnected })}
${stale !== undefined && html`<div role="alert">${notice('warn', changeText(t, stale))}</div>`}
<div class="detail">
${document && document.status !== 'approved' && html`<div class="flow">${versionSection(t, document)}</div>`}
<aside class="rail flow" aria-label="${t.text('apps.decision')}">
${decidedLine(t, view)}
${decisionForm(t, context, view)}
${client && client.people > 0 && endLink(t, context, client)}
</aside>
<div class="flow">
${whoUses(t, context, view)}
<section><h2>${t.html('apps.may')}</h2>
${inForce(t, context, view, kind.audience === 'service')}
${permissions(t, context, view)}
${scopeLimits(t, view)}</section>
${document?.status === 'approved' && versionSection(t, document)}
${view.people.all.length > 0 && allowedPeople(t, context, target, view)}
${view.activity?.(t)}
${technicalDetails(t, view)}
</div></div>`,
  });
}

function doneMessage(t: Translator, view: AppView): Html | false {
  const { done, decided, effect } = view;
  if (done !== 'rule' || !decided || !effect) return statusMessage(t, doneText(view));
  const [count, later] = [Number(effect.ended), Number(effect.later)];
  if (later === 0) return statusMessage(t, 'rule.done.ended', { count });
  return count === 0
    ? statusMessage(t, 'rule.done.later', { count: later })
    : statusMessage(t, 'rule.done.both', { count, later });
}

/** Only what is true now: visitors can change an address. */
function doneText({ done, client, decided }: AppView): TextKey | undefined {
  if (done === 'ended' && client?.people === 0) return 'school.done.ended';
  if (done === 'rule' && decided) return 'rule.done';
  if (done === 'person') return 'rule.done.person';
  return done === 'norule' && !decided ? 'rule.done.none' : undefined;
}

function changeText(t: Translator, stale: StaleDecision): Html {
  return typeof stale === 'string' ? t.html(`review.stale.${stale}`) : staleText(t, stale);
}

/** What a metadata document may request is decided by its review, not by itself. */
function permissions(t: Translator, { path }: MemberPageContext, view: AppView): Html {
  const { client, document, listed } = view;
  const approved = document?.approvedScopes;
  const leftByRules: readonly Scope[] = hidesPeople(view)
    ? namesIn(view)
    : (listed.rule.scopes ?? approved ?? client?.scopes ?? []);
  const scopes = listed.status === 'blocked' ? [] : onlyViews(view) ? viewsIn(t.catalogue, leftByRules) : leftByRules;
  const seesForm = client && client.redirectUris.length > 0;
  return html`${approved && scopes.length > 0 && html`<p>${t.html('review.approved.scopes')}</p>`}
${scopes.length > 0 ? scopeList(t, scopes) : html`<p>${t.html(mayText(view))}</p>`}
${seesForm && html`<a class="back" href="${targetPath(path, { clientId: client.clientId })}&amp;view=consent">${t.html('example.preview.link')}</a>`}`;
}

/** What a client that knows people by pseudonyms can learn of them all the same: what the school has chosen for its own application. */
function namesIn({ listed: { rule }, client, isPairwise = false }: AppView): readonly Scope[] {
  if (!isPairwise || client?.source !== 'application' || rule.pseudonym) return [];
  const { scopes = client.scopes } = rule;
  return client.scopes.filter((scope) => scope !== 'openid' && isIdentity(scope) && scopes.includes(scope));
}

/** What only views stays until an administrator allows more. */
function viewsIn(catalogue: ScopeCatalogue, scopes: readonly Scope[]): Scope[] {
  return scopes.filter((scope) => catalogue.row(scope)?.access !== 'write');
}

function mayText(view: AppView): TextKey {
  const { client, document, listed } = view;
  if (listed.status === 'blocked') return 'apps.may.nothing';
  if (hidesPeople(view)) return 'apps.may.pseudonym';
  if (document && document.status !== 'approved') return 'school.permissions.read';
  if (client && client.source !== 'document') return 'school.permissions.none';
  return onlyViews(view) ? 'apps.may.view' : 'apps.may.all';
}

/** Nobody connects to a service. */
function whoUses(t: Translator, context: MemberPageContext, { client, listed, appPeople: shown }: AppView): Html {
  const active = client?.lastActiveAt;
  if (!shown)
    return html`<section><h2>${t.html('list.used')}</h2><p>${active === undefined ? t.html('list.never') : t.nearDate(active)}</p></section>`;
  const target = targetOf(listed);
  return appPeople(t, context, {
    ...shown,
    total: listed.people,
    path: targetPath(context.path, target),
    kept: 'app' in target ? { app: target.app } : { client: target.clientId },
    fields: targetFields(target),
  });
}

function technicalDetails(t: Translator, { client, document, listed, applicationsPath }: AppView): Html {
  const { app, clientId } = listed;
  const uris = document?.redirectUris ?? client?.redirectUris ?? [];
  return html`<section><details><summary><h2>${t.html('error.details')}</h2></summary>
<dl class="facts">
${clientId !== undefined && fact(t.html('school.client.id'), lines([clientId]))}
${app !== undefined && fact(t.html('school.app'), lines([app]))}
${client && fact(t.html('list.kind'), t.html(`list.kind.${client.source}`))}
${client?.usesKey && fact(...keyRow(t))}
${uris.length > 0 && fact(t.html('school.redirects'), lines(uris))}
${client?.blockedAt !== undefined && fact(t.html('school.blocked.since'), t.date(client.blockedAt))}
${document && fact(t.html('review.seen'), t.date(document.seenAt))}
</dl>
${client?.source === 'application' && applicationsPath !== undefined && html`<p><a href="${applicationsPath}/${encodeURIComponent(client.clientId)}">${t.html('school.see.application')}</a></p>`}</details></section>`;
}

function endLink(t: Translator, context: MemberPageContext, { clientId }: ConnectedClient): Html {
  return html`<p><a class="button danger" href="${targetPath(context.path, { clientId })}&amp;confirm=end">${t.html('school.end')}</a></p>`;
}

/** What a metadata document says, and what has changed since it was approved. The decision is for this version. */
function versionSection(t: FormTranslator, document: ShownVersion): Html {
  const { clientId, clientName, logoUri, logo, status, copyDate } = document;
  const isOtherLogo = status === 'approved' && logo?.approved === false;
  const host = URL.parse(clientId)?.host ?? clientId;
  return html`<section><h2>${t.html('review.title', { client: shortName(clientName ?? host) })}</h2>
<p>${t.html('review.claimed', { host })}${copyDate !== undefined && html` ${copyMark(t, copyDate)}`}</p>
${logoUri !== undefined && html`<dl class="facts">${fact(t.html('review.logo'), html`${logo && html`${monogram(host, logo.picture)} `}<code dir="ltr">${logoUri}</code>${!logo && html`<br>${t.html('review.logo.missing')}`}`)}</dl>`}
${changes(t, document)}
${isOtherLogo && notice('warn', t.html('review.logo.other'))}
</section>`;
}

function lines(texts: readonly string[]): Html[] {
  return texts.map((text, i) => html`${i > 0 && html`<br>`}<code dir="ltr">${text}</code>`);
}

/** What has changed in a document since it was approved. */
function changes(t: FormTranslator, { approved, clientName = '', redirectUris }: ShownVersion): Html | false {
  if (!approved) return false;
  const { clientName: oldName = '', redirectUris: oldUris } = approved;
  const isSameName = oldName === clientName;
  const isSameUris = [...oldUris].sort().join('\n') === [...redirectUris].sort().join('\n');
  const row = (label: Html, before: Html | Html[], now: Html | Html[]): Html =>
    html`<li><strong>${label}</strong><br>${t.html('review.before')} ${before}<br>${t.html('review.now')} ${now}</li>`;
  return noticeBlock(
    'warn',
    html`<p><strong>${t.html('review.changes')}</strong></p><ul>
${!isSameName && row(t.html('form.name'), isolated(shortName(oldName)), isolated(shortName(clientName)))}
${!isSameUris && row(t.html('school.redirects'), lines(oldUris), lines(redirectUris))}
${isSameName && isSameUris && t.fields.map(({ changed }) => changed && html`<li>${t.html(changed)}</li>`)}
</ul>`,
  );
}
