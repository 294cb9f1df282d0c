import type { Route, RouteCall } from '../../contracts/route.ts';
import { sendDocument, textDocument } from '../../http/send.ts';
import { copyScript, copyScriptText } from './copy-script.ts';
import { newPage, secretPage } from './edit-pages.ts';
import { listPage } from './list-page.ts';
import { messagePage } from '../kit/message-page.ts';
import { oneApplication } from './application.ts';
import { blankForm, inputOf, problemsIn, readValues } from './form-input.ts';
import { type ApplicationPagesOptions, type ApplicationPageRequest, type Next, oncePerForm } from './page-request.ts';
import { authenticateVisitor } from '../kit/visitor.ts';
import { wholeNumber } from '../kit/whole-number.ts';

type Turn = (options: ApplicationPagesOptions, call: ApplicationPageRequest) => Promise<Next>;

/** Developers ▸ OAuth applications, for operators. Specification: Registration rules 5. */
export function applicationRoutes(options: ApplicationPagesOptions): Route[] {
  const { path } = options;
  const page = (at: string, methods: Route['methods'], turn: Turn): Route => ({
    path: at,
    methods,
    kind: 'page',
    handle: (route) => visit(options, route, turn),
  });
  const script = textDocument('text/javascript', copyScriptText);
  return [
    page(path, ['GET'], list),
    page(`${path}/new`, ['GET', 'POST'], create),
    page(`${path}/:id`, ['GET', 'POST'], oneApplication),
    { path: copyScript(path), methods: ['GET'], kind: 'document', handle: ({ ctx }) => sendDocument(ctx, script) },
  ];
}

async function visit(options: ApplicationPagesOptions, route: RouteCall, turn: Turn): Promise<void> {
  const { ctx, site } = route;
  const visitor = await authenticateVisitor(options, { path: options.path, audience: 'operator' }, route);
  if (!visitor) return;
  const next = site.connectionsEnabled ? await turn(options, { ...visitor, route }) : notHere(site.name);
  if (next !== 'sent') options.pages.send(ctx, site, next);
}

function notHere(school: string): Next {
  return messagePage({ title: 'missing.title', texts: ['missing.applications'], values: { school }, status: 404 });
}

async function list({ applications }: ApplicationPagesOptions, { desk, route }: ApplicationPageRequest): Promise<Next> {
  return listPage(desk, await applications.list(desk.site), wholeNumber(route.ctx.query['removed']));
}

async function create(options: ApplicationPagesOptions, call: ApplicationPageRequest): Promise<Next> {
  const { desk, form } = call;
  if (!form) return newPage(desk, { values: blankForm, problems: [] });
  const values = readValues(form);
  const problems = problemsIn(values);
  if (problems.length > 0) return newPage(desk, { values, problems });
  return oncePerForm(options, call, async () => {
    const wanted = { ...inputOf(values), confidential: values.kind === 'confidential' };
    return secretPage(desk, await options.applications.create(desk.site, wanted), true);
  });
}
