import type { Application } from '../../contracts/application.ts';
import type { Route } from '../../contracts/route.ts';
import { field } from '../../http/body.ts';
import { sendDocument, textDocument } from '../../http/send.ts';
import { messagePage } from '../kit/error-page.ts';
import { noticeOf } from '../kit/notices.ts';
import { requireMember } from '../kit/page-access.ts';
import { pageQuery } from '../kit/page-links.ts';
import { copyScript, copyScriptPath } from './copy.ts';
import { remove, save, show } from './edit.ts';
import { blankForm, problemsIn, readFormValues } from './form.ts';
import { create, rotate } from './issue.ts';
import { filledIn, findKnownApplication } from './known-programs.ts';
import { listPage, type ListedApplication } from './list-page.ts';
import { newPage } from './pages.ts';
import { explainRefusal } from './refused-page.ts';
import { type ApplicationPageRequest, type ApplicationPagesOptions, missing, type PageResult } from './requests.ts';

type PageHandler = (request: ApplicationPageRequest) => Promise<PageResult>;

/** Developers ▸ OAuth applications, for operators. Specification: Registration rules 5. */
export function applicationRoutes(options: ApplicationPagesOptions): Route[] {
  const { path } = options;
  const script = textDocument('text/javascript; charset=utf-8', copyScript);
  return [
    page(options, path, ['GET'], listApplications),
    page(options, `${path}/new`, ['GET', 'POST'], createApplication),
    page(options, `${path}/refused`, ['GET', 'POST'], explainRefusal),
    page(options, `${path}/:id`, ['GET', 'POST'], handleApplication),
    { path: copyScriptPath(path), methods: ['GET'], kind: 'document', handle: ({ ctx }) => sendDocument(ctx, script) },
  ];
}

function page(options: ApplicationPagesOptions, path: string, methods: Route['methods'], handler: PageHandler): Route {
  return {
    path,
    methods,
    kind: 'page',
    async handle(call) {
      const { ctx, site } = call;
      const request = await requireMember(options, { path: options.path, audience: 'operator' }, call);
      if (!request) return;
      const result = site.connectionsEnabled ? await handler({ ...options, ...request, call }) : notEnabled(site.name);
      if (result !== 'redirected') await options.pages.send(ctx, site, result);
    },
  };
}

function notEnabled(school: string): PageResult {
  return messagePage({ title: 'missing.title', texts: ['missing.applications'], values: { school }, status: 404 });
}

async function listApplications(request: ApplicationPageRequest): Promise<PageResult> {
  const { applications, connectionsPath, csrfTokens, context, call } = request;
  const removed = noticeOf(csrfTokens, context, call.ctx.query, ['removed'])?.removed;
  const list = await applications.list(context.site, pageQuery(call.ctx.query['page']));
  return listPage(context, {
    ...list,
    entries: await described(request, list.entries),
    connectionsPath,
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
  const { audience: wanted, program } = call.ctx.query;
  const audience = wanted === 'operator' ? 'operator' : 'member';
  if (!form) {
    return newPage(context, { values: filledIn(blankForm(audience), findKnownApplication(program)), program });
  }
  const values = readFormValues(form, audience);
  const problems = problemsIn(values, catalogue);
  return problems.length > 0 ? newPage(context, { values, problems, program }) : create(request, form, values);
}

/** The page of one application, and its actions: save, rotate the secret, remove. */
async function handleApplication(request: ApplicationPageRequest): Promise<PageResult> {
  const { applications, context, form, call } = request;
  const action = form && field(form, 'action');
  if (action === 'remove') return remove(request);
  const application = await applications.find(context.site, call.id);
  if (!application) return missing(request);
  if (!form) return show(request, application);
  return action === 'rotate' ? rotate(request, application, form) : save(request, application, form);
}
