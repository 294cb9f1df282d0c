import type { ConnectedClient } from '../../../core/clients/listed-client.ts';
import type { Route } from '../../../http/route.ts';
import { field, type Form } from '../../../http/body.ts';
import { ReviewConflict } from '../../../core/reviews/review-conflict.ts';
import type { TextKey } from '../../../i18n/texts.ts';
import { OAuthError } from '../../../kernel/errors.ts';
import { type ActivitySources, recentActivity } from '../../../pages/activity/recent.ts';
import { messagePage } from '../../../pages/kit/error-page.ts';
import type { ConsentPreview } from '../../../pages/consent-preview.ts';
import { noticeOf } from '../../../pages/kit/csrf-tokens.ts';
import { confirmPage } from '../../../pages/kit/member-page.ts';
import { actOnClient, type MemberPageRequest, memberRoute, type PageResult } from '../../../pages/kit/page-access.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import { shortName } from '../../../pages/kit/markup.ts';
import { clientPage, type ClientView } from './client-page.ts';
import { decide, type DecideOptions, resetPerson } from './decide.ts';
import { type Decidable, decisionView, targetOf } from './decision-view.ts';
import { clientsFile } from './downloads.ts';
import { listingIn } from '../../../pages/kit/lists.ts';
import { documentStatus, listingOf, listPage, type ReviewPart, reviewsPage } from './list-page.ts';
import { decisionDone, programPage } from './rule-pages.ts';
import { targetPath } from '../../../pages/kit/console.ts';
import { findProgram, showRules } from './rules.ts';
import { confirmUnused, endUnused, type UnusedOptions } from './unused.ts';

export interface SchoolConnectionsOptions extends UnusedOptions, DecideOptions, ActivitySources {
  readonly preview: ConsentPreview;
  /** The pages of OAuth applications, if they exist. */
  readonly applicationsPath: string | undefined;
}

type SchoolRequest = SchoolConnectionsOptions & MemberPageRequest;

/** Nothing leads to applications that the school has not enabled. */
function applicationsOf({ applicationsPath, context }: SchoolRequest): string | undefined {
  return context.site.connectionsEnabled ? applicationsPath : undefined;
}

/** Developers ▸ Connections at this school, for administrators: every client that people have connected, and the reviews. */
export function schoolConnectionRoutes(options: SchoolConnectionsOptions): Route[] {
  const route = (page: 'connections' | 'programs', under: string, get: typeof show): Route =>
    memberRoute(options, { audience: 'administrator', page, forbidden: 'forbidden.school' }, under, (request) =>
      request.form ? act(request, request.form) : get(request),
    );
  return [route('connections', '', show), route('programs', '/programs', showPrograms)];
}

async function showPrograms(request: SchoolRequest): Promise<PageResult> {
  const { program, done } = request.call.ctx.query;
  if (typeof program !== 'string') return showRules(request);
  const listed = await findProgram(request, program);
  if (!listed) return missing(request);
  const view = await decisionView(request, { listed });
  return programPage(request.context, { ...view, done: decisionDone(done, view) });
}

interface SchoolClient extends Decidable {
  readonly client: ConnectedClient;
}

async function show(request: SchoolRequest): Promise<PageResult> {
  const { context, call } = request;
  const { client: clientId, review, confirm, done, view } = call.ctx.query;
  if (review === 'waiting' || review === 'decided') return showReviews(request, review);
  if (confirm === 'unused')
    return (await confirmUnused(request, listingOf(request))) ?? showList(request, 'unused.none');
  if (typeof clientId !== 'string') return showList(request);
  const found = await findClient(request, clientId);
  if (!found) return missing(request);
  const pagePath = targetPath(context.path, { clientId });
  if (view === 'consent') return (await request.preview(context, clientId, pagePath)) ?? missing(request);
  if (confirm === 'end') {
    const { clientName, people } = found.client;
    const values = { client: shortName(clientName), count: people };
    const fields = { client: clientId };
    const button = 'school.end';
    return confirmPage(context, `${button}.confirm`, { values, button, action: confirm, fields, page: pagePath });
  }
  return showClient(request, { ...found, done });
}

async function showClient(
  request: SchoolRequest,
  view: SchoolClient & Pick<ClientView, 'done' | 'stale'>,
): Promise<PageBuilder> {
  const shown = { ...view, ...(await decisionView(request, view)) };
  return clientPage(request.context, { ...shown, applicationsPath: applicationsOf(request) });
}

async function showList(request: SchoolRequest, done?: TextKey): Promise<PageResult> {
  const { connections, clientRows, documents, context, call } = request;
  const { site } = context;
  const listing = listingOf(request);
  if (call.ctx.query['format'] === 'csv') return clientsFile(await clientRows(site, listing.query));
  const [list, waiting, decided, recent] = await Promise.all([
    connections.listAll(site, listing.query),
    documents.list(site, { part: 'waiting', size: 1 }),
    documents.list(site, { part: 'decided', size: 1 }),
    recentActivity(request, context),
  ]);
  const counts = { waiting: waiting.total, decided: decided.total };
  const unused = noticeOf(request, ['ended', 'of']);
  return listPage(context, { list, listing, done, ...counts, unused, recent });
}

async function showReviews(request: SchoolRequest, part: ReviewPart): Promise<PageBuilder> {
  const { documents, context, path, call } = request;
  const { page } = call.ctx.query;
  const list = await documents.list(context.site, { part, ...listingIn({ page }, { path }).query });
  return reviewsPage(context, part, list);
}

async function findClient(
  { connections, documents, programs, context }: SchoolRequest,
  clientId: string,
): Promise<SchoolClient | undefined> {
  const { site } = context;
  const [connected, document, listed] = await Promise.all([
    connections.findClient(site, clientId),
    documents.find(site, clientId),
    programs.find(site, { clientId }),
  ]);
  if (connected) return { client: connected, document, listed };
  if (!document) return undefined;
  const { clientName = clientId, program, status } = document;
  const shared = { source: 'document', firstParty: false, audience: 'operator', people: 0 } as const;
  const described = { clientId, clientName, host: URL.parse(clientId)?.host, program, ...shared };
  return { client: { ...described, scopes: [], redirectUris: [], status: documentStatus[status] }, document, listed };
}

/** Each of these can be repeated: the second time nothing changes. */
async function act(request: SchoolRequest, form: Form): Promise<PageResult> {
  const { connections, context } = request;
  const { site } = context;
  const clientId = field(form, 'client') ?? '';
  const action = field(form, 'action');
  const program = field(form, 'program');
  if (program !== undefined) {
    const listed = await findProgram(request, program);
    return listed ? actOnDecision(request, form, { listed }) : missing(request);
  }
  if (action === 'end-unused') return endUnused(request, form, listingOf(request));
  const found = await findClient(request, clientId);
  if (!found) return missing(request);
  actOnClient(found.client);
  const page = targetPath(context.path, { clientId });
  if (action === 'end') {
    await connections.revokeClient(site, clientId);
    return `${page}&done=ended`;
  }
  try {
    const result = await actOnDecision(request, form, found);
    // A client that was blocked and never connected is gone after the decision on it was removed.
    return typeof result === 'string' && !(await findClient(request, clientId)) ? context.path : result;
  } catch (error) {
    if (!(error instanceof ReviewConflict) && !(error instanceof OAuthError && error.status === 404)) throw error;
    const current = await findClient(request, clientId);
    if (!current || !(error instanceof ReviewConflict)) return missing(request);
    const stale = `review.stale.${error.difference}` as const;
    return showClient(request, { ...current, done: '', stale });
  }
}

async function actOnDecision(request: SchoolRequest, form: Form, decidable: Decidable): Promise<PageResult> {
  const action = field(form, 'action');
  if (action === 'rule') return decide(request, form, decidable);
  if (action === 'reset-person') return resetPerson(request, form, decidable);
  return targetPath(request.context.path, targetOf(decidable.listed));
}

function missing({ path, context }: SchoolRequest): PageBuilder {
  const values = { school: context.site.name };
  const action = { text: 'school.back', href: path } as const;
  return messagePage({ title: 'missing.title', texts: ['review.missing'], values, status: 404, action });
}
