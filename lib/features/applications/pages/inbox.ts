import { maxText } from '../domain/requests.ts';
import type { Member } from '../../../host/school-platform.ts';
import type { AppRequest, RequestDecision } from '../../../core/applications/request.ts';
import { field, type Form } from '../../../http/body.ts';
import { namedApp } from '../../../core/apps/named-app.ts';
import { OAuthError } from '../../../kernel/errors.ts';
import { VersionConflict, type DecidedBy } from '../../../core/clients/expected-version.ts';
import { namedConflict, shownIn, staleText } from '../../../pages/kit/conflict.ts';
import { noticeAddress, noticeOf } from '../../../pages/kit/csrf-tokens.ts';
import { messagePage } from '../../../pages/kit/error-page.ts';
import { emptyState } from '../../../pages/kit/empty-state.ts';
import { factList } from '../../../pages/kit/facts.ts';
import { claimedMark, html, type Html, isolated, shortName, type Translator } from '../../../pages/kit/markup.ts';
import { hiddenFields, memberPage } from '../../../pages/kit/member-page.ts';
import { noticeBlock, statusMessage } from '../../../pages/kit/notice.ts';
import type { PageResult } from '../../../pages/kit/page-access.ts';
import { requestsPath } from '../../../pages/kit/console.ts';
import { listingIn, listPages } from '../../../pages/kit/lists.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import { type PersonValues, personValues } from '../../../pages/kit/person.ts';
import { blankForm, type FormValues } from './form-values.ts';
import { findKnownApplication, appWithCallback } from './known-apps.ts';
import { decidedRequests, isOfApp, requestTabs, requestTile } from './decided-requests.ts';
import { newCredentials } from '../domain/credentials.ts';
import { allowEveryone, allowOne, wantedActions, type WantedApp, wantedApp } from './requested-app.ts';
import { type ApplicationPageRequest, membersOf, toolScopes } from './page-request.ts';

/** What members ask for: an administrator creates the application, or declines. */
export async function askedFor(request: ApplicationPageRequest): Promise<PageResult> {
  const { requests, path, context, form, call } = request;
  if (form) return act(request, form);
  if (call.ctx.query['status'] === 'decided') return decidedRequests(request);
  const { site } = context;
  const listing = listingIn(call.ctx.query, { path: requestsPath(path) });
  const [list, { total: all }] = await Promise.all([
    requests.list(site, { ...listing.query, status: 'open' }),
    requests.list(site, { size: 1 }),
  ]);
  const ids = list.map(({ memberId }) => memberId);
  const members = await membersOf(request, ids);
  const wanted = new Map(
    await Promise.all(
      list.map(async (each) => [each.id, await wantedApp(request, each, members.get(each.memberId))] as const),
    ),
  );
  const declined = noticeOf(request, ['declined'])?.declined;
  const allowed = noticeOf(request, ['allowed'])?.allowed;
  const approved = noticeOf(request, ['approved'])?.approved;
  return memberPage(context, {
    title: 'console.requests',
    wide: true,
    body: (t) => html`
${statusMessage(t, allowed === undefined ? undefined : 'asked.allowed', { client: allowed ?? '' })}
${statusMessage(t, approved === undefined ? undefined : 'asked.approved', { client: approved ?? '' })}
${statusMessage(t, declined === undefined ? undefined : 'asked.declined', { client: declined ?? '' }, 'plain')}
${requestTabs(t, request, { open: list.total, decided: all - list.total })}
${list.total > 0 ? html`<p>${t.html('asked.intro', { school: site.name })}</p>` : emptyState({ icon: 'inbox', text: t.html('asked.none') })}
${list.length > 0 && html`<ul class="requests">${list.map((asked) => card(t, request, asked, { member: members.get(asked.memberId), wanted: wanted.get(asked.id) }))}</ul>`}
${listPages(t, listing, list)}`,
  });
}

interface Asked {
  readonly member: Member | undefined;
  /** What it wants to connect as it is. @default an application */
  readonly wanted: WantedApp | undefined;
}

function card(t: Translator, request: ApplicationPageRequest, asked: AppRequest, { member, wanted }: Asked): Html {
  const { path, context } = request;
  const { id, clientName } = asked;
  const client = shortName(clientName);
  const person = member ? personValues(member) : { name: shortName(asked.memberId) };
  const names = { client, name: person.name };
  return html`<li>
<div class="app top">${requestTile(asked)}<div><h2>${t.html('asked.wants', names)}</h2>
${facts(t, asked, person)}</div></div>
<div>${wanted ? wantedActions(t, request, asked, { wanted, member, isClaimed: !isOfApp(asked) }) : creating(t, request, asked)}
<details><summary>${t.html('asked.decline')}</summary><form method="post" action="${path}/asked">${hiddenFields(context, { id, version: asked.version })}
<div class="field"><label for="answer-${id}">${t.html('asked.answer')}</label><input type="text" id="answer-${id}" name="answer" maxlength="${String(maxText)}" autocomplete="off"></div>
<button class="danger small" type="submit" aria-label="${t.text('asked.decline.one', { client })}">${t.html('asked.decline')}</button></form></details></div>
</li>`;
}

/** One press creates what the app needs; the form is for other permissions, or a secret. */
function creating(
  t: Translator,
  { path, context }: ApplicationPageRequest,
  { id, version, clientName }: AppRequest,
): Html {
  const client = shortName(clientName);
  return html`<p class="hint" id="create-${id}">${t.html('asked.approve.hint')}</p>
<div class="actions"><form method="post" action="${requestsPath(path)}">${hiddenFields(context, { id, version, action: 'create' })}<button class="primary" type="submit" aria-label="${t.text('asked.approve.one', { client })}" aria-describedby="create-${id}">${t.html('asked.approve')}</button></form>
<a class="button" href="${path}/new?audience=member&request=${id}" aria-label="${t.text('asked.grant.one', { client })}">${t.html('asked.grant')}</a></div>`;
}

/** Who asks, since when, where the app sends people, and why: whole addresses are technical details. */
function facts(t: Translator, asked: AppRequest, { email }: PersonValues): Html {
  const { at, redirectUris, note } = asked;
  const hosts = [...new Set(redirectUris.map((uri) => URL.parse(uri)?.host ?? uri))].map(shortName);
  return html`<p class="soft">${email !== undefined && html`${isolated(email)} · `}${t.nearDate(at)}${hosts.length > 0 && html` · ${t.html('asked.sends', { host: hosts.join(', ') })}`}${!isOfApp(asked) && claimedMark(t)}</p>
${note !== '' && html`<p>${t.html('asked.note', { note })}</p>`}
${redirectUris.length > 0 && html`<details><summary>${t.html('error.details')}</summary>${factList([[t.html('form.redirectUris'), redirectUris.map((uri) => html`<code dir="ltr">${uri}</code> `)]])}</details>`}`;
}

async function act(request: ApplicationPageRequest, form: Form): Promise<PageResult> {
  const action = field(form, 'action');
  if (action === 'create') return approve(request, form);
  return action === 'one' || action === 'everyone' || action === 'view'
    ? allow(request, form, action)
    : decline(request, form);
}

/** Creates an application without a secret, with what was asked for, and grants the request with it. */
async function approve(request: ApplicationPageRequest, form: Form): Promise<PageResult> {
  const { requests, applications, issuer, path, context } = request;
  const { site, member } = context;
  const asked = await requests.find(site, field(form, 'id') ?? '');
  const shown = decisionOn(request, form);
  if (asked?.status !== 'open' || asked.version !== shown.version || asked.connects !== undefined)
    return conflictPage(request, asked);
  const { clientName, redirectUris } = asked;
  const app = (findKnownApplication(asked.app) ?? appWithCallback(redirectUris))?.id;
  const credentials = newCredentials(false);
  const settings = { audience: 'member', createdBy: member.id, app, confidential: false } as const;
  const scopes = toolScopes(request, 'member');
  await issuer.create(site, { clientName, redirectUris, scopes, ...settings }, credentials);
  try {
    await requests.grant(site, asked.id, credentials.clientId, shown);
    return noticeAddress(requestsPath(path), request, { approved: shortName(clientName) });
  } catch (error) {
    if (!isOvertaken(error)) throw error;
    await applications.remove(site, credentials.clientId);
    return conflictPage(request, await requests.find(site, asked.id));
  }
}

/** Lets the person who asks connect it, alone or with everyone. */
async function allow(
  request: ApplicationPageRequest,
  form: Form,
  action: 'one' | 'everyone' | 'view',
): Promise<PageResult> {
  const { requests, path, context } = request;
  const { site } = context;
  const asked = await requests.find(site, field(form, 'id') ?? '');
  const shown = decisionOn(request, form);
  if (asked?.status !== 'open' || asked.version !== shown.version) return conflictPage(request, asked);
  const member = await request.kit.platform.findMember(site, asked.memberId);
  const wanted = await wantedApp(request, asked, member);
  const decision = field(form, 'decision') ?? '';
  if (!wanted) return conflictPage(request, asked);
  if (!(action === 'one' ? wanted.forOne : wanted.forEveryone))
    return conflictWith(request, (await request.findListed(site, namedApp(wanted.decides))).decided);
  try {
    if (action === 'one') await allowOne(request, asked, wanted, decision);
    else await allowEveryone(request, wanted, action === 'view' ? 'view_only' : 'allowed', decision);
    const { clientName } = await requests.allow(site, asked.id, shown);
    return noticeAddress(requestsPath(path), request, {
      [action === 'one' ? 'allowed' : 'approved']: shortName(clientName),
    });
  } catch (error) {
    if (!isOvertaken(error)) throw error;
    if (error instanceof VersionConflict) return conflictWith(request, error.decided);
    return conflictPage(request, await requests.find(site, asked.id));
  }
}

async function decline(request: ApplicationPageRequest, form: Form): Promise<PageResult> {
  const { requests, path, context } = request;
  const id = field(form, 'id') ?? '';
  const answer = (field(form, 'answer') ?? '').slice(0, maxText);
  try {
    const { clientName } = await requests.decline(context.site, id, answer, decisionOn(request, form));
    return noticeAddress(requestsPath(path), request, { declined: shortName(clientName) });
  } catch (error) {
    if (!isOvertaken(error)) throw error;
    return conflictPage(request, await requests.find(context.site, id));
  }
}

/** The same, with who decides. */
export function decisionOn(
  { context }: ApplicationPageRequest,
  form: Form,
): RequestDecision & { readonly version: string } {
  return { ...shownIn(form), by: context.member.id };
}

/** Whether no decision was written, because there was another one, or because the request has changed or gone. */
export function isOvertaken(error: unknown): boolean {
  return error instanceof OAuthError && (error.status === 404 || error.status === 409);
}

/** Why no decision was written. */
async function conflictPage(request: ApplicationPageRequest, asked: AppRequest | undefined): Promise<PageBuilder> {
  if (asked?.status !== 'open') return decidedPage(request, asked);
  return messagePage({ title: 'asked.changed.title', texts: ['asked.changed'], status: 409, action: backIn(request) });
}

/** Another administrator has decided, or the member no longer asks: then there is no request. */
export async function decidedPage(
  request: ApplicationPageRequest,
  asked: AppRequest | undefined,
): Promise<PageBuilder> {
  if (asked) return conflictWith(request, asked);
  const action = backIn(request);
  return messagePage({ title: 'asked.withdrawn.title', texts: ['asked.withdrawn'], status: 409, action });
}

/** Says who has decided on the request, or on what it is for. */
async function conflictWith(request: ApplicationPageRequest, decided: DecidedBy | undefined): Promise<PageBuilder> {
  const conflict = await namedConflict(request.kit.platform, request.context, decided);
  const texts = [(t: Translator) => staleText(t, conflict)];
  return messagePage({ title: 'conflict.title', texts, status: 409, action: backIn(request) });
}

function backIn({ path }: ApplicationPageRequest) {
  return { text: 'asked.back', href: requestsPath(path) } as const;
}

/** The request that the address of a new application names. */
export async function requestIn(page: ApplicationPageRequest): Promise<AppRequest | undefined> {
  const { request } = page.call.ctx.query;
  return typeof request === 'string' ? page.requests.find(page.context.site, request) : undefined;
}

/** The form of an application, with what the request says and the permissions that tools need from members. */
export function valuesFor(request: ApplicationPageRequest, asked: AppRequest): FormValues {
  const { clientName, redirectUris, app } = asked;
  const kind = findKnownApplication(app)?.kind ?? 'confidential';
  const scopes = toolScopes(request, 'member');
  return { ...blankForm('member'), clientName, redirectUris: redirectUris.join('\n'), kind, scopes };
}

/** Above the form: for whom the application is. */
export function askedNotice(t: Translator, { clientName, note }: AppRequest): Html {
  return noticeBlock(
    'plain',
    html`<p>${t.html('asked.form', { client: shortName(clientName) })}</p>${note !== '' && html`<p>${isolated(note)}</p>`}`,
  );
}
