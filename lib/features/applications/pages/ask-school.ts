import type { FormTranslator } from '../../../pages/kit/application-field.ts';
import type { KnownToClients } from '../../../core/enabled/enabled.ts';
import { maxText } from '../domain/requests.ts';
import type { Application } from '../../../core/applications/application.ts';
import { audienceOf } from '../../../core/clients/client-metadata.ts';
import type { AppRequest } from '../../../core/applications/request.ts';
import type { Route } from '../../../http/route.ts';
import { field, type Form } from '../../../http/body.ts';
import type { TextKey } from '../../../i18n/texts.ts';
import { knownApp } from '../../../core/known-apps/known-apps.ts';
import { identityScopes } from '../../../core/scopes/scopes.ts';
import {
  blankForm,
  type FormProblem,
  type FormValues,
  problemsIn,
  readFormValues,
  toApplicationInput,
} from './form-values.ts';
import { type FieldLabels, nameField, problemSummary, redirectUrisField } from './form.ts';
import { filledIn, findKnownApplication, appChoice } from './known-apps.ts';
import type { SharedPagesOptions } from './page-request.ts';
import { inPlaceOfSecret } from './secrets.ts';
import { copyScriptPath } from '../../../pages/kit/copy.ts';
import { noticeAddress, noticeOf } from '../../../pages/kit/csrf-tokens.ts';
import { messagePage } from '../../../pages/kit/error-page.ts';
import { factList } from '../../../pages/kit/facts.ts';
import { html, type Html, isolated, shortName } from '../../../pages/kit/markup.ts';
import { hiddenFields, memberPage } from '../../../pages/kit/member-page.ts';
import { statusMessage } from '../../../pages/kit/notice.ts';
import { stateMark } from '../../../pages/kit/status.ts';
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
    return messagePage({ title: 'missing.title', texts: ['missing.applications'], values, status: 404 });
  }
  const chosen = findKnownApplication(call.ctx.query['app']);
  const filling = { app: chosen, scopes: identityScopes };
  if (!form) return show(request, { values: filledIn(blankForm('member'), filling), note: '' });
  if (field(form, 'action') === 'withdraw') {
    await requests.withdraw(site, member.id, field(form, 'id') ?? '');
    return noticeAddress(path, request, { done: 'withdrawn' });
  }
  const entered = enteredIn(request.enabled.known, form, chosen);
  const values = { ...entered, scopes: identityScopes };
  const note = (field(form, 'note') ?? '').slice(0, maxText);
  if (field(form, 'action') === 'app') return show(request, { values, note });
  const problems = problemsIn(values, request);
  if (problems.length > 0) return show(request, { values, note, problems });
  const { clientName, redirectUris } = toApplicationInput(values, request);
  await requests.ask(site, member.id, { app: chosen?.id ?? 'other', clientName, redirectUris, note });
  return noticeAddress(path, request, { done: 'made' });
}

/** What a known app needs is not asked for. */
function enteredIn(known: KnownToClients, form: Form, chosen: ReturnType<typeof findKnownApplication>): FormValues {
  const { clientName, redirectUris } = readFormValues(form, {
    audience: 'member',
    isSignIn: false,
    fields: [],
    known,
  });
  const blank = { ...blankForm('member'), clientName, redirectUris };
  if (!chosen) return blank;
  const filled = filledIn(blank, { app: chosen, scopes: identityScopes });
  return chosen.redirectUris.length > 0 ? filled : { ...filled, redirectUris };
}

const messages = { made: 'request.made', withdrawn: 'request.withdrawn' } as const satisfies Record<string, TextKey>;

interface FormView {
  readonly values: FormValues;
  readonly note: string;
  readonly problems?: readonly FormProblem[];
}

async function show(request: RequestPageRequest, view: FormView): Promise<PageBuilder> {
  const { requests, applications, context, endpoints } = request;
  const { site, member } = context;
  const listed = await requests.ofMember(site, member);
  const find = async (asked: AppRequest): Promise<OwnRequest> => {
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
    status: view.problems ? 400 : 200,
    hasProblems: view.problems !== undefined,
    body: (t) => html`
${statusMessage(t, message === 'made' || message === 'withdrawn' ? messages[message] : undefined)}
${problemSummary(t, view.values, view.problems ?? [], labels)}
<p>${t.html('request.intro', { school: site.name })}</p>
${own.length > 0 && html`<ul class="requests">${own.map((each) => card(t, request, each, address))}</ul>`}
${newRequest(t, request, view)}`,
  });
}

interface OwnRequest {
  readonly asked: AppRequest;
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

/** The words of people for what administrators have other ones for. */
const labels = { redirectUris: 'request.address' } as const satisfies FieldLabels;

const requestLooks = { open: 'needs_approval', granted: 'allowed', declined: 'blocked' } as const;

function card(t: FormTranslator, request: RequestPageRequest, own: OwnRequest, address?: string): Html {
  const { context, path } = request;
  const { id, status, at, clientName } = own.asked;
  const name = shortName(clientName);
  return html`<li><div>
<h2>${isolated(name)} ${stateMark(requestLooks[status], t.html(status === 'open' ? 'status.needs_approval' : `request.status.${status}`))}</h2>
<p class="soft">${t.nearDate(at)}</p>
${status === 'granted' && granted(t, request, own, address)}
${status === 'declined' && html`<p>${t.html('request.declined')}${own.asked.answer !== '' && html` ${isolated(own.asked.answer ?? '')}`}</p>`}</div>
<form method="post" action="${path}">${hiddenFields(context, { action: 'withdraw', id })}
<button type="submit" aria-label="${t.text(status === 'open' ? 'request.withdraw.one' : 'request.remove.one', { client: name })}">${t.html(status === 'open' ? 'request.withdraw' : 'request.remove')}</button></form>
</li>`;
}

function granted(
  t: FormTranslator,
  { context, checkPath }: RequestPageRequest,
  own: OwnRequest,
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
  const { values, note, problems = [] } = view;
  const chosen = findKnownApplication(call.ctx.query['app']);
  const pagePath = `${path}?view=new`;
  return html`<section>
<h2>${t.html('request.new')}</h2>
${appChoice(t, pagePath, chosen)}
<form method="post" action="${pagePath}${chosen && `&app=${chosen.id}`}" id="new" novalidate>
${hiddenFields(context)}
${chosen ? html`<p>${t.html('request.for', { app: knownApp(chosen.id).name })}</p>` : nameField(t, values, problems)}
${(chosen?.redirectUris.length ?? 0) === 0 && redirectUrisField(t, values, problems, labels.redirectUris)}
<div class="field"><label for="note">${t.html('request.note')} <span class="badge">${t.html('form.optional')}</span></label>
<span class="hint" id="note-hint">${t.html('request.note.hint')}</span>
<textarea id="note" name="note" rows="3" maxlength="${String(maxText)}" aria-describedby="note-hint">
${note}</textarea></div>
<div class="actions"><button class="primary" type="submit">${t.html('request.ask')}</button></div>
</form></section>`;
}
