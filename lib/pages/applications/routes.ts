import type { Application } from '../../contracts/application.ts';
import type { Route } from '../../contracts/route.ts';
import { field } from '../../http/body.ts';
import { messagePage } from '../kit/error-page.ts';
import { noticeOf } from '../kit/csrf-tokens.ts';
import { memberRoute, type PageResult } from '../kit/page-access.ts';
import { pageQuery } from '../kit/page-links.ts';
import { askedFor, decidedPage, requestIn, valuesFor } from './asked.ts';
import { create, remove, rotate, save, show } from './actions.ts';
import { blankForm, problemsIn, readFormValues } from './form.ts';
import { filledIn, findKnownApplication } from './known-programs.ts';
import { listPage, type ListedApplication } from './list-page.ts';
import { newPage } from './pages.ts';
import { explainRefusal } from './refused-page.ts';
import { type ApplicationPageRequest, type ApplicationPagesOptions, missing, toolScopes } from './requests.ts';

/** Developers ▸ OAuth applications, for operators. Specification: Registration rules 5. */
export function applicationRoutes(options: ApplicationPagesOptions): Route[] {
  const kind = { audience: 'operator', page: 'applications', forbidden: 'forbidden.operator' } as const;
  const page = (under: string, handle: (request: ApplicationPageRequest) => Promise<PageResult>): Route =>
    memberRoute(options, kind, under, (request) =>
      request.context.site.connectionsEnabled ? handle(request) : notEnabled(request),
    );
  return [
    { ...page('', listApplications), methods: ['GET'] },
    page('/new', createApplication),
    page('/refused', explainRefusal),
    page('/asked', askedFor),
    page('/:id', handleApplication),
  ];
}

function notEnabled({ context }: ApplicationPageRequest): PageResult {
  const values = { school: context.site.name };
  return messagePage({ title: 'missing.title', texts: ['missing.applications'], values, status: 404 });
}

async function listApplications(request: ApplicationPageRequest): Promise<PageResult> {
  const { applications, requests, connectionsPath, csrfTokens, context, call } = request;
  const removed = noticeOf(csrfTokens, context, call.ctx.query, ['removed'])?.removed;
  const [list, asked] = await Promise.all([
    applications.list(context.site, pageQuery(call.ctx.query['page'])),
    requests.list(context.site, { status: 'open', size: 1 }),
  ]);
  return listPage(context, {
    list,
    applications: await described(request, list),
    connectionsPath,
    asked: asked.total,
    removed: removed === undefined ? undefined : Number(removed),
  });
}

async function described(
  { applications, platform, context }: ApplicationPageRequest,
  listed: readonly Application[],
): Promise<ListedApplication[]> {
  const { site } = context;
  const ids = new Set(listed.flatMap(({ createdBy }) => createdBy ?? []));
  const creators = new Map(
    await Promise.all([...ids].map(async (id) => [id, (await platform.findMember(site, id))?.name] as const)),
  );
  const describe = async (application: Application): Promise<ListedApplication> => ({
    application,
    people: await applications.connections(site, application.clientId),
    creator: application.createdBy === undefined ? undefined : creators.get(application.createdBy),
  });
  return Promise.all(listed.map(describe));
}

async function createApplication(request: ApplicationPageRequest): Promise<PageResult> {
  const { catalogue, context, form, call } = request;
  const { audience: wanted, program, request: requested } = call.ctx.query;
  const audience = wanted === 'operator' && requested === undefined ? 'operator' : 'member';
  const chosen = findKnownApplication(program);
  const scopes = toolScopes(request, audience);
  const asked = await requestIn(request);
  if (requested !== undefined && (!asked || (!form && asked.status !== 'open'))) return decidedPage(request);
  if (!form) {
    const values = asked ? valuesFor(request, asked) : filledIn(blankForm(audience), { program: chosen, scopes });
    return newPage(context, { values, program, asked });
  }
  const values = readFormValues(form, audience);
  if (field(form, 'action') === 'program') {
    const before = findKnownApplication(field(form, 'program'));
    return newPage(context, { values: filledIn(values, { program: chosen, before, scopes }), program });
  }
  const problems = problemsIn(values, catalogue);
  return problems.length > 0
    ? newPage(context, { values, problems, program, asked })
    : create(request, form, values, asked);
}

async function handleApplication(request: ApplicationPageRequest): Promise<PageResult> {
  const { applications, context, form, call } = request;
  const action = form && field(form, 'action');
  if (action === 'remove') return remove(request);
  const application = await applications.find(context.site, call.id);
  if (!application) return missing(request);
  if (!form) return show(request, application);
  return action === 'rotate' ? rotate(request, application, form) : save(request, application, form);
}
