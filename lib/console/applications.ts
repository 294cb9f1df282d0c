import type { Route, RouteCall } from '../http/route.ts';
import { sendDocument, textDocument } from '../http/send.ts';
import { copyScript, copyScriptText } from '../pages/applications/copy-script.ts';
import { newPage, secretPage } from '../pages/applications/edit-pages.ts';
import { listPage } from '../pages/applications/list-page.ts';
import { messagePage } from '../pages/message-page.ts';
import { oneApplication } from './application.ts';
import { blankForm, inputOf, problemsIn, readValues } from './application-form.ts';
import { type ApplicationPagesOptions, type DeskCall, type Next, oncePerForm } from './desk-call.ts';
import { enter } from './gate.ts';
import { wholeNumber } from './numbers.ts';

type Turn = (options: ApplicationPagesOptions, call: DeskCall) => Promise<Next>;

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
  const visitor = await enter(options, { path: options.path, audience: 'operator' }, route);
  if (!visitor) return;
  const next = site.connectionsEnabled ? await turn(options, { ...visitor, route }) : notHere(site.name);
  if (next !== 'sent') options.pages.send(ctx, site, next);
}

function notHere(school: string): Next {
  return messagePage({ title: 'missing.title', texts: ['missing.applications'], values: { school }, status: 404 });
}

async function list({ applications }: ApplicationPagesOptions, { desk, route }: DeskCall): Promise<Next> {
  return listPage(desk, await applications.list(desk.site), wholeNumber(route.ctx.query['removed']));
}

async function create(options: ApplicationPagesOptions, call: DeskCall): Promise<Next> {
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
