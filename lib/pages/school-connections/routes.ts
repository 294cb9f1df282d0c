import type { Connections } from '../../contracts/connection.ts';
import type { DocumentReviews, SeenBeside } from '../../contracts/document-review.ts';
import type { Route } from '../../contracts/route.ts';
import { field, type Form } from '../../http/body.ts';
import { ReviewConflict } from '../../metadata-documents/decisions.ts';
import { OAuthError } from '../../protocol/errors.ts';
import { type ActivitySources, recentActivity } from '../activity/recent.ts';
import { messagePage } from '../kit/error-page.ts';
import type { ConsentPreview } from '../consent-preview.ts';
import { confirmPage } from '../kit/member-page.ts';
import { type MemberPageRequest, memberRoute, type MemberPagesOptions, type PageResult } from '../kit/page-access.ts';
import { pageQuery } from '../kit/page-links.ts';
import type { PageBuilder } from '../kit/pages.ts';
import { shortName } from '../kit/markup.ts';
import { clientPage, type SchoolClient } from './client-page.ts';
import { listPage, reviewsPage } from './list-page.ts';
import { programPage, ruleDone, targetPath } from './rule-pages.ts';
import { actOnRule, findProgram, type RuleOptions, showRules } from './rules.ts';

interface SchoolConnectionsOptions extends MemberPagesOptions, RuleOptions, ActivitySources {
  readonly connections: Connections;
  readonly documents: DocumentReviews;
  readonly preview: ConsentPreview;
  /** The pages of OAuth applications, if they exist. */
  readonly applicationsPath: string | undefined;
}

type SchoolRequest = SchoolConnectionsOptions & MemberPageRequest;

/** Nothing leads to applications that the school has not enabled. */
function applicationsOf({ applicationsPath, context }: SchoolRequest): string | undefined {
  return context.site.connectionsEnabled ? applicationsPath : undefined;
}

/** Developers ▸ Connections at this school, for operators: every client that people have connected, and the reviews. */
export function schoolConnectionRoutes(options: SchoolConnectionsOptions): Route[] {
  const kind = { audience: 'operator', page: 'connections', forbidden: 'forbidden.school' } as const;
  return [memberRoute(options, kind, '', (request) => (request.form ? act(request, request.form) : show(request)))];
}

const confirmations = { end: 'school.end', block: 'school.block', reject: 'review.reject' } as const;

async function show(request: SchoolRequest): Promise<PageBuilder> {
  const { context, call } = request;
  const { client: clientId, program, review, rules, confirm, done, view } = call.ctx.query;
  if (review === 'waiting' || review === 'decided') return showReviews(request, review);
  if (rules === 'all') return showRules(request);
  if (typeof program === 'string') {
    const listed = await findProgram(request, program);
    return listed ? programPage(context, listed, ruleDone(done, listed)) : missing(request);
  }
  if (typeof clientId !== 'string') return showList(request);
  const found = await findClient(request, clientId);
  if (!found) return missing(request);
  if (view === 'consent') {
    const back = targetPath(context.path, { clientId });
    return (await request.preview(context, clientId, back)) ?? missing(request);
  }
  const { clientName, people } = found.client;
  if (confirm === 'end' || confirm === 'block' || (confirm === 'reject' && found.document)) {
    const button = confirmations[confirm];
    const values = { client: shortName(clientName), count: people };
    const page = targetPath(context.path, { clientId });
    return confirmPage(context, `${button}.confirm`, {
      values,
      button,
      action: confirm,
      fields: { client: clientId },
      page,
    });
  }
  return clientPage(context, { ...found, applicationsPath: applicationsOf(request), done });
}

async function showList(request: SchoolRequest): Promise<PageBuilder> {
  const { connections, documents, context, call } = request;
  const { site } = context;
  const [list, waiting, decided, recent] = await Promise.all([
    connections.listAll(site, pageQuery(call.ctx.query['page'])),
    documents.list(site, { part: 'waiting', size: 1 }),
    documents.list(site, { part: 'decided', size: 1 }),
    recentActivity(request, context),
  ]);
  const counts = { waiting: waiting.total, decided: decided.total };
  return listPage(context, {
    list,
    ...counts,
    applicationsPath: applicationsOf(request),
    recent,
  });
}

async function showReviews(
  { documents, context, call }: SchoolRequest,
  part: 'waiting' | 'decided',
): Promise<PageBuilder> {
  const list = await documents.list(context.site, { part, ...pageQuery(call.ctx.query['page']) });
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
  const { clientName = clientId, program } = document;
  const shared = { source: 'document', firstParty: false, audience: 'operator' } as const;
  const host = URL.parse(clientId)?.host;
  return {
    client: { clientId, clientName, host, program, ...shared, scopes: [], redirectUris: [], people: 0 },
    document,
    listed,
  };
}

/** Each of these can be repeated: the second time nothing changes. */
async function act(request: SchoolRequest, form: Form): Promise<PageResult> {
  const { connections, documents, context } = request;
  const { site } = context;
  const clientId = field(form, 'client') ?? '';
  const action = field(form, 'action');
  const program = field(form, 'program');
  if (action === 'rule' && program !== undefined) {
    const listed = await findProgram(request, program);
    return listed ? actOnRule(request, form, listed) : missing(request);
  }
  const found = await findClient(request, clientId);
  if (!found) return missing(request);
  if (action === 'rule') return actOnRule(request, form, found.listed);
  let done = '';
  try {
    if (action === 'end') done = await connections.revokeClient(site, clientId).then(() => 'ended');
    if (action === 'block') done = await connections.block(site, clientId).then(() => 'blocked');
    if (action === 'unblock') done = await connections.unblock(site, clientId).then(() => 'unblocked');
    if (action === 'reject') done = await documents.reject(site, clientId).then(() => 'rejected');
    if (action === 'approve') {
      await documents.approve(site, clientId, field(form, 'digest') ?? '', besideIn(form));
      done = 'approved';
    }
  } catch (error) {
    if (!(error instanceof ReviewConflict) && !(error instanceof OAuthError && error.status === 404)) throw error;
    const current = await findClient(request, clientId);
    if (!current || !(error instanceof ReviewConflict)) return missing(request);
    const stale = `review.stale.${error.difference}` as const;
    return clientPage(context, { ...current, applicationsPath: applicationsOf(request), done, stale });
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

function missing({ path, context }: SchoolRequest): PageBuilder {
  const values = { school: context.site.name };
  const action = { text: 'school.back', href: path } as const;
  return messagePage({ title: 'missing.title', texts: ['review.missing'], values, status: 404, action });
}
