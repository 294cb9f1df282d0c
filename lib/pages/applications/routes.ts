import type { Applications } from '../../clients/applications.ts';
import type { Application } from '../../contracts/application.ts';
import type { Route, RouteCall } from '../../contracts/route.ts';
import type { Store } from '../../contracts/store.ts';
import { field, type Form } from '../../http/body.ts';
import { sendDocument, textDocument } from '../../http/send.ts';
import { OAuthError } from '../../protocol/errors.ts';
import { digest } from '../../runtime/crypto.ts';
import { messagePage } from '../kit/error-page.ts';
import { confirmPage, countFromQuery } from '../kit/member-page.ts';
import { type MemberPageRequest, type PageAccessOptions, requireMember } from '../kit/page-access.ts';
import { type PageBuilder, redirectSeeOther } from '../kit/pages.ts';
import { blankForm, formValuesOf, problemsIn, readFormValues, toApplicationInput } from './form.ts';
import { copyScript, copyScriptPath, editPage, listPage, newPage, secretPage } from './pages.ts';

interface ApplicationPagesOptions extends PageAccessOptions {
  readonly path: string;
  readonly applications: Applications;
  readonly store: Pick<Store, 'consumeQuota'>;
}

interface ApplicationPageRequest extends ApplicationPagesOptions, MemberPageRequest {
  readonly call: RouteCall;
}

type PageResult = PageBuilder | 'redirected';

type PageHandler = (request: ApplicationPageRequest) => Promise<PageResult>;

/** Developers ▸ OAuth applications, for operators. Specification: Registration rules 5. */
export function applicationRoutes(options: ApplicationPagesOptions): Route[] {
  const { path } = options;
  const script = textDocument('text/javascript', copyScript);
  return [
    page(options, path, ['GET'], listApplications),
    page(options, `${path}/new`, ['GET', 'POST'], createApplication),
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
      if (result !== 'redirected') options.pages.send(ctx, site, result);
    },
  };
}

function notEnabled(school: string): PageResult {
  return messagePage({ title: 'missing.title', texts: ['missing.applications'], values: { school }, status: 404 });
}

async function listApplications({ applications, context, call }: ApplicationPageRequest): Promise<PageResult> {
  return listPage(context, await applications.list(context.site), countFromQuery(call.ctx.query['removed']));
}

async function createApplication(request: ApplicationPageRequest): Promise<PageResult> {
  const { applications, context, form, call } = request;
  const audience = call.ctx.query['audience'] === 'operator' ? 'operator' : 'member';
  if (!form) return newPage(context, blankForm(audience), []);
  const values = readFormValues(form, audience);
  const problems = problemsIn(values);
  if (problems.length > 0) return newPage(context, values, problems);
  return preventDoubleSubmit(request, async () => {
    const confidential = values.kind === 'confidential';
    const issued = await applications.create(context.site, { ...toApplicationInput(values), audience, confidential });
    return secretPage(context, issued, true);
  });
}

/** The page of one application, and its actions: save, rotate the secret, remove. */
async function handleApplication(request: ApplicationPageRequest): Promise<PageResult> {
  const { applications, context, form, call } = request;
  const action = form && field(form, 'action');
  if (action === 'remove') return remove(request);
  const application = await applications.find(context.site, call.id);
  if (!application) return missing(request);
  if (!form) return show(request, application);
  if (action !== 'rotate') return save(request, application, form);
  return preventDoubleSubmit(request, () => rotate(request, application, form));
}

async function rotate(request: ApplicationPageRequest, { clientId }: Application, form: Form): Promise<PageBuilder> {
  const { applications, path, context } = request;
  try {
    const issued = await applications.rotateSecret(context.site, clientId, { version: field(form, 'version') });
    return secretPage(context, issued, false);
  } catch (error) {
    if (!isConflict(error)) throw error;
    const action = { text: 'applications.back', href: `${path}/${clientId}` } as const;
    return messagePage({ title: 'conflict.title', texts: ['conflict.secret'], status: 409, action });
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof OAuthError && error.status === 409;
}

async function remove(request: ApplicationPageRequest): Promise<PageResult> {
  const { applications, path, context, call } = request;
  try {
    const { connections } = await applications.remove(context.site, call.id);
    redirectSeeOther(call.ctx, `${path}?removed=${connections}`);
    return 'redirected';
  } catch (error) {
    if (!(error instanceof OAuthError) || error.status !== 404) throw error;
    return missing(request);
  }
}

function missing({ path, context }: ApplicationPageRequest): PageResult {
  const action = { text: 'applications.back', href: path } as const;
  const values = { school: context.site.name };
  return messagePage({ title: 'missing.title', texts: ['missing.application'], values, status: 404, action });
}

async function show(request: ApplicationPageRequest, application: Application): Promise<PageBuilder> {
  const { applications, path, context, call } = request;
  const { clientId, clientName: client, confidential, version } = application;
  const { confirm, saved } = call.ctx.query;
  const here = `${path}/${clientId}`;
  if (confirm === 'rotate' && confidential) {
    const form = { values: { client }, action: 'rotate', fields: { version }, page: here };
    return confirmPage(context, 'secret.rotate', { ...form, button: 'secret.rotate' });
  }
  const connections = await applications.connections(context.site, clientId);
  if (confirm === 'remove') {
    const values = { client, count: connections };
    return confirmPage(context, 'remove', { values, button: 'remove.button', action: 'remove', page: here });
  }
  const values = formValuesOf(application);
  return editPage(context, { application, connections, values, problems: [], saved: saved === '1' });
}

async function save(request: ApplicationPageRequest, application: Application, form: Form): Promise<PageResult> {
  const { applications, path, context, call } = request;
  const { site } = context;
  const { clientId } = application;
  const values = { ...readFormValues(form, application.audience), kind: undefined };
  const problems = problemsIn(values);
  const seen = field(form, 'version') ?? application.version;
  const connections = (): Promise<number> => applications.connections(site, clientId);
  if (problems.length > 0) {
    return editPage(context, { application, values, problems, seen, connections: await connections() });
  }
  try {
    await applications.update(site, clientId, toApplicationInput(values), { version: seen });
  } catch (error) {
    if (!isConflict(error)) throw error;
    const current = await applications.find(site, clientId);
    if (!current) return missing(request);
    return editPage(context, {
      application: current,
      values,
      problems,
      conflict: true,
      connections: await connections(),
    });
  }
  redirectSeeOther(call.ctx, `${path}/${clientId}?saved=1`);
  return 'redirected';
}

/** Longer than any CSRF token is valid. */
const rememberedSeconds = 24 * 60 * 60;

/** Runs once for each rendering of a form, however often that form is submitted: a new secret is shown only once. */
async function preventDoubleSubmit(
  { store, path, context, form }: ApplicationPageRequest,
  run: () => Promise<PageBuilder>,
): Promise<PageBuilder> {
  const name = `form:${digest((form && field(form, 'csrf')) ?? '')}`;
  const retryAfter = await store.consumeQuota(context.site.id, [{ name, limit: 1 }], rememberedSeconds);
  if (retryAfter === undefined) return run();
  const action = { text: 'expired.twice.list', href: path } as const;
  return messagePage({ title: 'expired.title', texts: ['expired.twice'], status: 400, action });
}
