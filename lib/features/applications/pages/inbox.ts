import type { AppRequest, RequestGroup } from '../../../core/applications/request.ts';
import { pageOf } from '../../../core/clients/paging.ts';
import { backLink } from '../../../pages/kit/app-header.ts';
import { noticeOf } from '../../../pages/kit/csrf-tokens.ts';
import { emptyState } from '../../../pages/kit/empty-state.ts';
import { html, type Html, isolated, shortName, type Translator } from '../../../pages/kit/markup.ts';
import { memberPage } from '../../../pages/kit/member-page.ts';
import { noticeBlock, statusMessage } from '../../../pages/kit/notice.ts';
import type { PageResult } from '../../../pages/kit/page-access.ts';
import { requestsPath } from '../../../pages/kit/console.ts';
import { listingIn, listPages } from '../../../pages/kit/lists.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import { answer } from './answers.ts';
import { appsToReview, isChanged, reviewSection } from './apps-to-review.ts';
import { askersOf, askingGroup, maxNamed } from './asking-group.ts';
import { blankForm, type FormValues } from './form-values.ts';
import { findKnownApplication } from './known-apps.ts';
import { decidedRequests, requestTabs } from './decided-requests.ts';
import { declinePage } from './decline-page.ts';
import { askerList, groupCard } from './group-card.ts';
import { type ApplicationPageRequest, toolScopes } from './page-request.ts';

/** Apps on a page: each has up to twenty people whose names are looked up. */
const groupsOnPage = 10;

/** What members ask for, one row for each app, with one answer for all who ask. */
export async function askedFor(request: ApplicationPageRequest): Promise<PageResult> {
  const { requests, path, context, form, call } = request;
  const { query } = call.ctx;
  if (form) return answer(request, form);
  if (query['status'] === 'decided') return decidedRequests(request);
  const { site } = context;
  const open = await requests.openGroups(site);
  const chosen = open.find(({ key }) => key === query['decline'] || key === query['group']);
  if (chosen && query['decline'] === chosen.key) return declinePage(request, chosen);
  if (chosen) return groupPage(request, chosen);
  const listing = listingIn({ page: query['page'] }, { path: requestsPath(path), size: groupsOnPage });
  const page = await pageOf({ keys: open, read: async (groups) => groups }, listing.query);
  const [shown, roles, { total: all }, waiting] = await Promise.all([
    Promise.all(page.map((group) => askingGroup(request, group))),
    request.schoolRoles(site),
    requests.list(site, { size: 1 }),
    appsToReview(request),
  ]);
  const people = open.reduce((sum, group) => sum + group.requests.length, 0);
  return memberPage(context, {
    title: 'console.requests',
    wide: true,
    body: (t) => html`
${answered(t, request)}
${requestTabs(t, request, { open: { apps: open.length, people }, decided: all - people })}
${open.length > 0 ? html`<p class="soft">${t.html('asked.intro')}</p>` : emptyState({ icon: 'inbox', text: t.html('asked.none') })}
${shown.length > 0 && html`<ul class="requests answers">${shown.map((group) => groupCard(t, request, { ...group, isChanged: isChanged(group, waiting) }, roles))}</ul>`}
${listPages(t, listing, page)}
${waiting && listing.query.page === 1 && reviewSection(t, waiting, open)}`,
  });
}

/** What the previous request has answered, and for how many people. */
function answered(t: Translator, request: ApplicationPageRequest): Html | false {
  const approved = noticeOf(request, ['approved', 'people']);
  if (approved)
    return statusMessage(t, 'asked.approved', { client: approved.approved, count: Number(approved.people) });
  const declined = noticeOf(request, ['declined', 'people']);
  return declined
    ? statusMessage(t, 'asked.declined', { client: declined.declined, count: Number(declined.people) }, 'plain')
    : false;
}

/** All who ask for one app. */
async function groupPage(request: ApplicationPageRequest, group: RequestGroup): Promise<PageBuilder> {
  const { path, context, call } = request;
  const size = maxNamed;
  const listing = {
    ...listingIn({ page: call.ctx.query['page'] }, { path: requestsPath(path), size }),
    chosen: { group: group.key },
  };
  const page = await pageOf({ keys: group.requests, read: async (some) => some }, listing.query);
  const [askers, roles] = await Promise.all([askersOf(request, page), request.schoolRoles(context.site)]);
  const client = shortName(group.latest.clientName);
  return memberPage(context, {
    title: 'asked.group',
    values: { client, count: group.requests.length },
    wide: true,
    header: (t, heading) => html`${backLink(requestsPath(path), t.html('console.requests'))}${heading}`,
    body: (t) => html`${askerList(t, request, askers, roles)}${listPages(t, listing, page)}`,
  });
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
