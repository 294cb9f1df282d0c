import type { Context } from 'koa';
import type { Member, Site } from '../../host/school-platform.ts';
import { type OAuthError, TemporarilyUnavailable } from '../../kernel/errors.ts';
import { currentTrace } from '../../observe/request-trace.ts';
import { noteShownError } from '../../http/router.ts';
import { sendError } from '../../http/send.ts';
import type { TextKey } from '../../i18n/texts.ts';
import type { TextValues } from '../../i18n/translations.ts';
import { copyHidden, copyScriptPath } from './copy.ts';
import { icon } from './icons.ts';
import { html, type Html, isolated, shortName, type Translator } from './markup.ts';
import { fact } from './facts.ts';
import { homePath, type PageBuilder, type Pages } from './pages.ts';

/** An HTML page, or JSON for clients that prefer it. */
export async function sendBrowserError(
  pages: Pages,
  ctx: Context,
  site: Site,
  error: OAuthError,
  page: PageBuilder = errorPage(error, ctx, site.name),
): Promise<void> {
  if (ctx.accepts('html', 'json') !== 'html') return sendError(ctx, error);
  noteShownError(ctx, error.error);
  ctx.set({ ...error.headers });
  return pages.send(ctx, site, page);
}

/** Above what cannot go on. */
const warningTile = html`<span class="tile round needs-approval">${icon('warn')}</span>`;

/** What a person reads about an error, by its code. */
const causes: Readonly<Partial<Record<string, TextKey>>> = {
  invalid_client: 'error.cause.client',
  invalid_client_metadata: 'error.cause.metadata',
  invalid_redirect_uri: 'error.cause.redirect',
  slow_down: 'error.cause.busy',
};

/** What they can do, where it does not help to try again. */
const advices: Readonly<Partial<Record<string, TextKey>>> = { invalid_redirect_uri: 'error.redirect.advice' };

/** One cause and one action for the person; for developers and operators, what finds the event or fault in the log. */
export function errorPage(error: OAuthError, ctx: Context, school: string): PageBuilder {
  const { status, error: code } = error;
  const isFault = status >= 500;
  const host = error instanceof TemporarilyUnavailable ? error.host : undefined;
  const cause = isFault ? (host === undefined ? 'error.fault.cause' : 'error.cause.host') : causes[code];
  const advice =
    status === 429 ? undefined : isFault ? 'error.fault.advice' : (advices[code] ?? 'error.request.advice');
  const again = (isFault || status === 429) && ctx.method === 'GET';
  const details = detailsOf(error, ctx);
  return (t) => ({
    page: 'error',
    title: t.text(isFault ? 'error.fault.title' : 'error.request.title'),
    heading: t.html(isFault ? 'error.fault.title' : 'error.request.title'),
    status,
    beforeHeading: warningTile,
    script: copyScriptPath,
    body: html`<p>${t.html(cause ?? 'error.cause.request', { school, host: host ?? '' })}</p>
${advice && html`<p>${t.html(advice)}</p>`}
${link(t, [again ? { text: 'error.again', href: ctx.url } : homeAction])}
${section(t, details)}`,
  });
}

/** For what is copied, which developers read. */
const englishNames = {
  'error.code': 'error',
  'error.description': 'error_description',
  'error.client': 'client_id',
  'error.redirect': 'redirect_uri',
  'error.time': 'time',
  'error.reference': 'reference',
} as const;

const maxReceived = 500;

function received(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, maxReceived) : '';
}

type DetailName = keyof typeof englishNames;
type Detail = readonly [name: DetailName, value: string];

/** Error messages exist in English only. That of a fault says nothing more. */
function detailsOf({ error, message, status }: OAuthError, { query }: Context): Detail[] {
  return [
    ['error.code', error],
    ['error.description', status < 500 ? message : ''],
    ['error.client', received(query['client_id'])],
    ['error.redirect', received(query['redirect_uri'])],
    ...whenOf(),
  ];
}

/** What finds the request in the logs. */
function whenOf(): Detail[] {
  return [
    ['error.time', new Date(Date.now()).toISOString()],
    ['error.reference', currentTrace()?.requestId ?? ''],
  ];
}

/** What finds a refusal in the log, on a page that has its own script or none. */
export function referenceFacts(t: Translator, before: readonly Html[] = []): Html {
  const known = whenOf().filter(([, value]) => value !== '');
  return technicalDetails(t, [...before, ...known.map(([name, value]) => fact(t.html(name), shown(t, name, value)))]);
}

/** What most people never need, closed. */
export function technicalDetails(t: Translator, facts: readonly Html[]): Html {
  return html`<details><summary>${t.html('error.details')}</summary>
<dl class="facts">${facts}</dl></details>`;
}

/** The details that have a value, also to be copied. */
function section(t: Translator, details: readonly Detail[]): Html {
  const known = details.filter(([, value]) => value !== '');
  const text = known.map(([name, value]) => `${englishNames[name]}: ${value}`).join('\n');
  return html`<details><summary>${t.html('error.details')}</summary>
<dl class="facts">${known.map(([name, value]) => fact(t.html(name), shown(t, name, value)))}</dl>
${copyHidden(t, 'details', 'error.details', text)}</details>`;
}

function shown(t: Translator, name: DetailName, value: string): Html {
  if (name === 'error.time') return t.moment(Math.floor(Date.parse(value) / 1000));
  return html`<span lang="en" dir="ltr">${isolated(value)}</span>`;
}

interface PageAction {
  readonly text: TextKey;
  readonly href: string;
}

const homeAction: PageAction = { text: 'home', href: homePath };

function link(t: Translator, actions: readonly (PageAction | undefined)[], values?: TextValues): Html {
  const links = actions.map(
    (each) => each && html`<a class="button" href="${each.href}">${t.html(each.text, values)}</a>`,
  );
  return html`<p class="actions">${links}</p>`;
}

interface Message {
  readonly title: TextKey;
  readonly texts: readonly TextKey[];
  readonly values?: TextValues | undefined;
  readonly status: number;
  /** Where the page leads. @default the school's home page */
  readonly action?: PageAction | undefined;
  /** A second way out. @default none */
  readonly other?: PageAction | undefined;
}

/** A page with a message and at most two links: what the visitor wanted cannot go on. */
export function messagePage({ title, texts, values, status, action = homeAction, other }: Message): PageBuilder {
  return (t) => ({
    page: 'error',
    title: t.text(title, values),
    heading: t.html(title, values),
    status,
    beforeHeading: warningTile,
    script: copyScriptPath,
    body: html`${texts.map((text) => html`<p>${t.html(text, values)}</p>`)}
${link(t, [action, other], values)}
${section(t, [['error.code', title.replace(/\.title$/, '')], ...whenOf()])}`,
  });
}

/** The wrong person may be signed in, so it says who is. `back` leads to the application. */
export function forbiddenPage(
  { name: school }: Site,
  member: Member | undefined,
  text: TextKey,
  { switchAccountUrl, back }: { readonly switchAccountUrl: string; readonly back?: string },
): PageBuilder {
  const action = { text: 'forbidden.button', href: switchAccountUrl } as const;
  const other = back === undefined ? undefined : ({ text: 'forbidden.back', href: back } as const);
  const values = { school, ...(member && { name: shortName(member.name), email: member.email }) };
  const texts = member ? ([text, 'person.signedIn'] as const) : [text];
  return messagePage({ title: 'forbidden.title', texts, values, status: 403, action, other });
}
