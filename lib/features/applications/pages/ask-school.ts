import type { FormTranslator } from '../../../pages/kit/application-field.ts';
import { InvalidApplication } from '../domain/application-input.ts';
import { maxText } from '../domain/requests.ts';
import type { Application } from '../../../core/applications/application.ts';
import { audienceOf } from '../../../core/clients/client-metadata.ts';
import type { AppRequest, OwnRequest } from '../../../core/applications/request.ts';
import type { Route } from '../../../http/route.ts';
import { field } from '../../../http/body.ts';
import type { TextKey } from '../../../i18n/texts.ts';
import { knownApp } from '../../../core/known-apps/known-apps.ts';
import { findKnownApplication, knownApplications } from './known-apps.ts';
import type { SharedPagesOptions } from './page-request.ts';
import { inPlaceOfSecret } from './secrets.ts';
import { copyScriptPath } from '../../../pages/kit/copy.ts';
import { noticeAddress, noticeOf } from '../../../pages/kit/csrf-tokens.ts';
import { memberMessage } from '../../../pages/kit/error-page.ts';
import { factList } from '../../../pages/kit/facts.ts';
import { html, type Html, isolated, shortName } from '../../../pages/kit/markup.ts';
import { hiddenFields, memberPage } from '../../../pages/kit/member-page.ts';
import { statusMessage } from '../../../pages/kit/notice.ts';
import { plainRow } from '../../../pages/kit/row-link.ts';
import { stateMark } from '../../../pages/kit/status.ts';
import { glyphTile } from '../../../pages/kit/tile.ts';
import { type MemberPageRequest, memberRoute, type PageResult } from '../../../pages/kit/page-access.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import { setUpApps } from '../../../pages/set-up/apps.ts';
import { addressOf, endpointFor, setUpAddress, setUpSteps } from '../../../pages/set-up/steps.ts';

type RequestPageRequest = SharedPagesOptions & MemberPageRequest;

/** Connect your assistant ▸ Ask for a client ID: what a member asks the school for, and what became of it. */
export function requestRoutes(options: SharedPagesOptions): Route[] {
  const kind = { audience: 'member', page: 'requests', forbidden: 'forbidden.member' } as const;
  return [memberRoute(options, kind, '', (request) => handle(request))];
}

async function handle(request: RequestPageRequest): Promise<PageResult> {
  const { requests, path, context, form, call } = request;
  const { site, member } = context;
  if (!site.connectionsEnabled) {
    const values = { school: site.name };
    return memberMessage(context, { title: 'missing.title', texts: ['missing.applications'], values, status: 404 });
  }
  if (!form) return show(request, { app: appIn(call.ctx.query['app']), name: '', note: '' });
  if (field(form, 'action') === 'withdraw') {
    await requests.withdraw(site, member.id, field(form, 'id') ?? '');
    return noticeAddress(path, request, { done: 'withdrawn' });
  }
  const view = {
    app: appIn(call.ctx.query['app'] ?? field(form, 'app')),
    name: field(form, 'name') ?? '',
    note: (field(form, 'note') ?? '').slice(0, maxText),
  };
  if (view.app === undefined) return show(request, { ...view, problem: 'request.app.none' });
  const known = findKnownApplication(view.app);
  const clientName = known ? knownApp(known.id).name : view.name;
  const redirectUris = known && known.redirectUris.length > 0 ? known.redirectUris : undefined;
  try {
    await requests.ask(site, member.id, { app: known?.id ?? 'other', clientName, redirectUris, note: view.note });
  } catch (error) {
    if (!(error instanceof InvalidApplication)) throw error;
    return show(request, { ...view, problem: nameProblem(error) });
  }
  return noticeAddress(path, request, { done: 'made' });
}

/** The app of an address or a form; nothing for one that cannot be chosen. */
function appIn(value: unknown): string | undefined {
  return value === 'other' ? value : findKnownApplication(value)?.id;
}

/** Only the name of an app that is not known can be wrong. */
function nameProblem({ problems: [first] }: InvalidApplication): TextKey {
  if (first?.code === 'empty') return 'problem.name.empty';
  return first?.code === 'long' ? 'problem.name.long' : 'problem.name.invisible';
}

const messages = { made: 'request.made', withdrawn: 'request.withdrawn' } as const satisfies Record<string, TextKey>;

interface FormView {
  /** The id of a known app, or `other`. @default none is chosen yet */
  readonly app: string | undefined;
  /** That of an app that is not known. */
  readonly name: string;
  readonly note: string;
  /** Why the form asks for nothing. */
  readonly problem?: TextKey | undefined;
}

async function show(request: RequestPageRequest, view: FormView): Promise<PageBuilder> {
  const { requests, applications, context, endpoints } = request;
  const { site, member } = context;
  const listed = await requests.ofMember(site, member);
  const find = async (asked: OwnRequest): Promise<ShownRequest> => {
    const { clientId } = asked;
    const application = clientId === undefined ? undefined : await applications.find(site, clientId);
    return { asked, application, connectPath: await connectPathOf(request, asked) };
  };
  const own = await Promise.all(listed.map(find));
  const message = noticeOf(request, ['done'])?.done;
  const endpoint = endpointFor(endpoints, 'member');
  const address = endpoint && addressOf(site, endpoint);
  return memberPage(context, {
    title: 'request.title',
    values: { school: site.name },
    script: copyScriptPath,
    status: view.problem === undefined ? 200 : 400,
    hasProblems: view.problem !== undefined,
    body: (t) => html`
${statusMessage(t, message === 'made' || message === 'withdrawn' ? messages[message] : undefined)}
<p class="soft">${t.html('request.intro')}</p>
${own.length > 0 && html`<ul class="requests">${own.map((each) => card(t, request, each, address))}</ul>`}
${newRequest(t, request, view)}`,
  });
}

interface ShownRequest {
  readonly asked: OwnRequest;
  /** That it was granted with, unless it was removed. */
  readonly application: Application | undefined;
  /** The page that says how to connect the app as it is. @default there is none for it */
  readonly connectPath: string | undefined;
}

/** Where the person connects what they may connect by now: an app that they asked for, and that gets in by itself. */
async function connectPathOf(
  { clients, context, endpoints }: RequestPageRequest,
  { status, connects, app }: AppRequest,
): Promise<string | undefined> {
  if (status !== 'granted' || connects === undefined || !setUpApps.some(({ id }) => id === app)) return undefined;
  const client = await clients(context.site.id, connects, 'identify');
  // Members connect with an application, of which that page knows nothing.
  const endpoint = client && audienceOf(client) === 'operator' ? endpointFor(endpoints, 'operator') : undefined;
  return endpoint && setUpAddress(endpoint, app);
}

const requestLooks = { open: 'needs_approval', granted: 'allowed', declined: 'blocked' } as const;

function card(t: FormTranslator, request: RequestPageRequest, own: ShownRequest, address?: string): Html {
  const { context, path } = request;
  const { id, status, at, clientName } = own.asked;
  const name = shortName(clientName);
  return html`<li><div>
<h2>${isolated(name)} ${stateMark(requestLooks[status], t.html(status === 'open' ? 'status.needs_approval' : `request.status.${status}`))}</h2>
<p class="soft">${t.nearDate(at)}</p>
${status === 'granted' && granted(t, request, own, address)}
${status === 'declined' && own.asked.answeredAt !== undefined && html`<p>${t.html('request.back')}</p>`}
${status === 'declined' && own.asked.answeredAt === undefined && html`<p>${t.html('request.declined', { school: context.site.name })}${own.asked.answer !== '' && html` ${isolated(own.asked.answer ?? '')}`}</p>`}</div>
<form method="post" action="${path}">${hiddenFields(context, { action: 'withdraw', id })}
<button type="submit" aria-label="${t.text(status === 'open' ? 'request.withdraw.one' : 'request.remove.one', { client: name })}">${t.html(status === 'open' ? 'request.withdraw' : 'request.remove')}</button></form>
</li>`;
}

function granted(
  t: FormTranslator,
  { context, checkPath }: RequestPageRequest,
  own: ShownRequest,
  address?: string,
): Html {
  const { asked, application, connectPath } = own;
  const client = shortName(asked.clientName);
  if (asked.connects !== undefined)
    return html`<p>${t.html('request.connect', { client })}</p>
<div class="actions stack">${connectPath !== undefined && html`<a class="button primary" href="${connectPath}">${t.html('request.connect.link', { client })}</a>`}
${checkPath !== undefined && html`<a class="button" href="${checkPath}?${new URLSearchParams({ client: asked.connects }).toString()}">${t.html('check.link')}</a>`}</div>`;
  if (!application) return html`<p>${t.html('request.gone')}</p>`;
  const { clientId } = application;
  const app = asked.app === 'other' ? undefined : asked.app;
  const target = address === undefined ? undefined : { origin: context.site.origin, address, client: application };
  return html`<details open><summary>${t.html('error.details')}</summary>${factList([
    [t.html('form.clientId'), html`<code dir="ltr">${clientId}</code>`],
    ...(address === undefined
      ? []
      : [[t.html('assistants.address.member'), html`<code dir="ltr">${address}</code>`] as const]),
  ])}
${application.confidential && html`<p>${t.html(inPlaceOfSecret(t, application)?.request ?? 'request.secret')}</p>`}
${target && setUpSteps(t, app, target)}</details>
${checkPath !== undefined && html`<p><a href="${checkPath}?client=${clientId}">${t.html('check.link')}</a></p>`}`;
}

function newRequest(t: FormTranslator, { context, path, call }: RequestPageRequest, view: FormView): Html {
  const { app, name, note, problem } = view;
  const chosen = findKnownApplication(call.ctx.query['app']);
  const isOfName = problem !== undefined && problem !== 'request.app.none';
  return html`<section>
<h2>${t.html('request.new')}</h2>
<form method="post" action="${path}?view=new${chosen && html`&amp;app=${chosen.id}`}" novalidate>
${hiddenFields(context)}
${chosen ? plainRow({ tile: glyphTile(chosen.id, 'small'), name: html`${knownApp(chosen.id).name}` }, html`<a href="${path}?view=new">${t.html('known.none')}</a>`) : html`${appMenu(t, app, problem === 'request.app.none')}${nameField(t, name, isOfName ? problem : undefined)}`}
<div class="field"><label for="note">${t.html('request.note')} <span class="soft">${t.html('form.optional')}</span></label>
<span class="hint" id="note-hint">${t.html('request.note.hint')}</span>
<textarea id="note" name="note" rows="3" maxlength="${String(maxText)}" aria-describedby="note-hint">
${note}</textarea></div>
<div class="actions"><button class="primary" type="submit">${t.html('request.ask')}</button></div>
</form></section>`;
}

/** Where it shows, a problem has the focus. */
function fieldProblem(t: FormTranslator, id: string, problem: TextKey): Html {
  return html`<span class="problem" id="${id}-problem" role="alert" tabindex="-1" autofocus>${t.html(problem)}</span>`;
}

function appMenu(t: FormTranslator, chosen: string | undefined, isMissing: boolean): Html {
  const option = (value: string, text: string): Html =>
    html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`;
  return html`<div class="field"><label for="app">${t.html('request.app')}</label>${isMissing && fieldProblem(t, 'app', 'request.app.none')}
<select id="app" name="app" required${isMissing && html` aria-invalid="true" aria-describedby="app-problem"`}><option value="">${t.html('request.app.choose')}</option>${knownApplications.map(({ id }) => option(id, knownApp(id).name))}${option('other', t.text('known.none'))}</select></div>`;
}

/** Hidden by the style sheet while a known app is chosen. */
function nameField(t: FormTranslator, name: string, problem: TextKey | undefined): Html {
  return html`<div class="field other"><label for="name">${t.html('request.app.name')}</label>${problem !== undefined && fieldProblem(t, 'name', problem)}
<input type="text" id="name" name="name" value="${name}" maxlength="100" autocomplete="off"${problem !== undefined && html` aria-invalid="true" aria-describedby="name-problem"`}></div>`;
}
