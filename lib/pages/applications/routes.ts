import type { Route, RouteCall } from '../../contracts/route.ts';
import { sendDocument, textDocument } from '../../http/send.ts';
import { messagePage } from '../kit/message-page.ts';
import { requireMember } from '../kit/page-access.ts';
import { countFromQuery } from '../kit/redirect.ts';
import { applicationPage } from './application-page.ts';
import { copyScript, copyScriptPath } from './copy-script.ts';
import { newPage, secretPage } from './edit-pages.ts';
import { blankForm, problemsIn, readFormValues, toApplicationInput } from './form-input.ts';
import { listPage } from './list-page.ts';
import {
  type ApplicationPageRequest,
  type ApplicationPagesOptions,
  type PageResult,
  preventDoubleSubmit,
} from './page-request.ts';

type PageHandler = (request: ApplicationPageRequest) => Promise<PageResult>;

/** Developers ▸ OAuth applications, for operators. Specification: Registration rules 5. */
export function applicationRoutes(options: ApplicationPagesOptions): Route[] {
  const { path } = options;
  const page = (at: string, methods: Route['methods'], handler: PageHandler): Route => ({
    path: at,
    methods,
    kind: 'page',
    handle: (call) => handlePage(options, call, handler),
  });
  const script = textDocument('text/javascript', copyScript);
  return [
    page(path, ['GET'], list),
    page(`${path}/new`, ['GET', 'POST'], create),
    page(`${path}/:id`, ['GET', 'POST'], applicationPage),
    { path: copyScriptPath(path), methods: ['GET'], kind: 'document', handle: ({ ctx }) => sendDocument(ctx, script) },
  ];
}

async function handlePage(options: ApplicationPagesOptions, call: RouteCall, handler: PageHandler): Promise<void> {
  const { ctx, site } = call;
  const request = await requireMember(options, { path: options.path, audience: 'operator' }, call);
  if (!request) return;
  const result = site.connectionsEnabled ? await handler({ ...options, ...request, call }) : notEnabled(site.name);
  if (result !== 'redirected') options.pages.send(ctx, site, result);
}

function notEnabled(school: string): PageResult {
  return messagePage({ title: 'missing.title', texts: ['missing.applications'], values: { school }, status: 404 });
}

async function list({ applications, context, call }: ApplicationPageRequest): Promise<PageResult> {
  return listPage(context, await applications.list(context.site), countFromQuery(call.ctx.query['removed']));
}

async function create(request: ApplicationPageRequest): Promise<PageResult> {
  const { applications, context, form } = request;
  if (!form) return newPage(context, { values: blankForm, problems: [] });
  const values = readFormValues(form);
  const problems = problemsIn(values);
  if (problems.length > 0) return newPage(context, { values, problems });
  return preventDoubleSubmit(request, async () => {
    const application = { ...toApplicationInput(values), confidential: values.kind === 'confidential' };
    return secretPage(context, await applications.create(context.site, application), true);
  });
}
