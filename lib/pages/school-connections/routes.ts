import type { Site } from '../../host/school-platform.ts';
import type { ApprovableScopes } from '../../core/grants/approvable.ts';
import type { DocumentReviews, SeenBeside } from '../../core/reviews/document-review.ts';
import type { Route } from '../../http/route.ts';
import { field, type Form } from '../../http/body.ts';
import { ReviewConflict } from '../../core/reviews/review-conflict.ts';
import type { TextKey } from '../../i18n/texts.ts';
import { OAuthError } from '../../kernel/errors.ts';
import { type ActivitySources, recentActivity } from '../activity/recent.ts';
import { messagePage } from '../kit/error-page.ts';
import type { ConsentPreview } from '../consent-preview.ts';
import { noticeOf } from '../kit/csrf-tokens.ts';
import { confirmPage } from '../kit/member-page.ts';
import { actOnClient, type MemberPageRequest, memberRoute, type PageResult } from '../kit/page-access.ts';
import type { PageBuilder } from '../kit/pages.ts';
import { shortName } from '../kit/markup.ts';
import { clientPage, type ClientView, type SchoolClient } from './client-page.ts';
import { clientsFile } from './downloads.ts';
import { listingIn } from '../kit/lists.ts';
import { listingOf, listPage, type ReviewPart, reviewsPage } from './list-page.ts';
import { programPage, ruleDone } from './rule-pages.ts';
import { targetPath } from '../kit/console.ts';
import { actOnRule, findProgram, type RuleOptions, showRules } from './rules.ts';
import { confirmUnused, endUnused, type UnusedOptions } from './unused.ts';

export interface SchoolConnectionsOptions extends UnusedOptions, RuleOptions, ActivitySources {
  readonly documents: DocumentReviews;
  readonly preview: ConsentPreview;
  readonly approvable: ApprovableScopes;
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
  const roles = await request.schoolRoles(request.context.site);
  return programPage(request.context, { listed, roles, done: ruleDone(done, listed) });
}

const confirmations = { end: 'school.end', block: 'school.block', reject: 'review.reject' } as const;

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
  const { clientName, people } = found.client;
  if (confirm === 'end' || confirm === 'block' || (confirm === 'reject' && found.document)) {
    const button = confirmations[confirm];
    const values = { client: shortName(clientName), count: people };
    const fields = { client: clientId };
    return confirmPage(context, `${button}.confirm`, { values, button, action: confirm, fields, page: pagePath });
  }
  return showClient(request, { ...found, done });
}

async function showClient(
  request: SchoolRequest,
  view: SchoolClient & Pick<ClientView, 'done' | 'stale'>,
): Promise<PageBuilder> {
  const { context, schoolRoles } = request;
  const roles = await schoolRoles(context.site);
  return clientPage(context, { ...view, roles, applicationsPath: applicationsOf(request) });
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
  return { client: { ...described, scopes: [], redirectUris: [], status: states[status] }, document, listed };
}

const states = { unreviewed: 'view_only', changed: 'view_only', approved: 'allowed', rejected: 'blocked' } as const;

/** Each of these can be repeated: the second time nothing changes. */
async function act(request: SchoolRequest, form: Form): Promise<PageResult> {
  const { connections, documents, context } = request;
  const { site } = context;
  const by = context.member.id;
  const clientId = field(form, 'client') ?? '';
  const action = field(form, 'action');
  const program = field(form, 'program');
  if (action === 'rule' && program !== undefined) {
    const listed = await findProgram(request, program);
    return listed ? actOnRule(request, form, listed) : missing(request);
  }
  if (action === 'end-unused') return endUnused(request, form, listingOf(request));
  const found = await findClient(request, clientId);
  if (!found) return missing(request);
  actOnClient(found.client);
  if (action === 'rule') return actOnRule(request, form, found.listed);
  let done = '';
  try {
    if (action === 'end') done = await connections.revokeClient(site, clientId).then(() => 'ended');
    if (action === 'block')
      done = await request.programs.set(site, { clientId }, { access: 'blocked' }, { by }).then(() => 'blocked');
    if (action === 'unblock') done = await connections.unblock(site, clientId).then(() => 'unblocked');
    if (action === 'reject') done = await documents.reject(site, clientId, { by }).then(() => 'rejected');
    if (action === 'approve') {
      const approvable = await request.approvable(site, context.member, clientId);
      if (approvable?.length === 0) return approvalDeniedPage(site, request.path);
      await documents.approve(site, clientId, field(form, 'digest') ?? '', {
        ...besideIn(form),
        scopes: approvable,
        by,
      });
      done = 'approved';
    }
  } catch (error) {
    if (!(error instanceof ReviewConflict) && !(error instanceof OAuthError && error.status === 404)) throw error;
    const current = await findClient(request, clientId);
    if (!current || !(error instanceof ReviewConflict)) return missing(request);
    const stale = `review.stale.${error.difference}` as const;
    return showClient(request, { ...current, done, stale });
  }
  // A client that was blocked and never connected is gone after it was unblocked.
  const current = await findClient(request, clientId);
  return current ? `${targetPath(context.path, { clientId })}&done=${done}` : context.path;
}

/** What the form showed beside the version. */
function besideIn(form: Form): SeenBeside {
  const [logo = '', decided = ''] = [field(form, 'logo'), field(form, 'decided')];
  return { logo: logo === '' ? undefined : { digest: logo }, decidedAt: decided === '' ? undefined : Number(decided) };
}

/** A consent policy says that an approval by this person does not count. */
export function approvalDeniedPage({ name: school }: Site, path: string): PageBuilder {
  const values = { school };
  const action = { text: 'school.back', href: path } as const;
  return messagePage({ title: 'review.denied.title', texts: ['review.denied'], values, status: 403, action });
}

function missing({ path, context }: SchoolRequest): PageBuilder {
  const values = { school: context.site.name };
  const action = { text: 'school.back', href: path } as const;
  return messagePage({ title: 'missing.title', texts: ['review.missing'], values, status: 404, action });
}
