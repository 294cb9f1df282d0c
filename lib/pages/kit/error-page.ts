import type { Context } from 'koa';
import type { BlockedClient } from '../../core/clients/blocked-client.ts';
import type { Member, Site } from '../../host/school-platform.ts';
import { type OAuthError, TemporarilyUnavailable } from '../../kernel/errors.ts';
import { ownEntry } from '../../kernel/own-entry.ts';
import { currentTrace } from '../../observe/request-trace.ts';
import { noteShownError } from '../../http/router.ts';
import { sendError } from '../../http/send.ts';
import type { TextKey } from '../../i18n/texts.ts';
import type { TextValues } from '../../i18n/translations.ts';
import { copyHidden, copyScriptPath } from './copy.ts';
import { html, type Html, isolated, shortName, type Translator } from './markup.ts';
import { memberPage, type MemberPageContext } from './member-page.ts';
import { personText, personValues } from './person.ts';
import { fact } from './facts.ts';
import { homePath, type PageBuilder, type Pages } from './pages.ts';
import { roundTile } from './tile.ts';

/** An HTML page, or JSON for clients that prefer it. */
export async function sendBrowserError(
  pages: Pages,
  ctx: Context,
  site: Site,
  error: OAuthError,
  page: PageBuilder = errorPage(error, ctx, { school: site.name }),
): Promise<void> {
  if (ctx.accepts('html', 'json') !== 'html') return sendError(ctx, error);
  noteShownError(ctx, error.error);
  ctx.set({ ...error.headers });
  return pages.send(ctx, site, page);
}

/** Above what cannot go on now, and above what cannot go on at all. */
const warningTile = roundTile('warn', 'needs-approval');
const refusedTile = roundTile('warn', 'blocked');

/** What a person reads of an error: what happened, and what they can do. */
interface Said {
  readonly title: TextKey;
  readonly cause: TextKey;
  /** @default they can only go back */
  readonly advice?: TextKey | undefined;
}

const fault: Said = { title: 'error.fault.title', cause: 'error.fault.cause', advice: 'error.fault.advice' };
const ofHost: Said = { title: 'error.host.title', cause: 'error.cause.host', advice: 'error.fault.advice' };
const busy: Said = { title: 'error.busy.title', cause: 'error.cause.busy' };
const busyFor: Said = { title: 'error.busy.title', cause: 'error.cause.busy.minutes' };
const request: Said = { title: 'error.request.title', cause: 'error.cause.request', advice: 'error.request.advice' };

/** Where the code says more. */
const byCode: Readonly<Partial<Record<string, Said>>> = {
  invalid_client: { title: 'error.client.title', cause: 'error.cause.client' },
  invalid_client_metadata: {
    title: 'error.metadata.title',
    cause: 'error.cause.metadata',
    advice: 'error.metadata.advice',
  },
  // It does not help to try again.
  invalid_redirect_uri: { title: 'error.link.title', cause: 'error.cause.redirect', advice: 'error.redirect.advice' },
  slow_down: busy,
};

function saidOf(error: OAuthError, host: string | undefined): Said {
  const { error: code, status } = error;
  if (status >= 500) return host === undefined ? fault : ofHost;
  if (status === 429) return minutesUntil(error) > 0 ? busyFor : busy;
  return ownEntry(byCode, code) ?? request;
}

/** In how many minutes it is worth to try again; 0 if nobody knows. */
function minutesUntil({ headers }: OAuthError): number {
  return Math.ceil(Number(headers['Retry-After'] ?? 0) / 60);
}

interface ErrorView {
  readonly school: string;
  /** The app that has sent the person, by a name that it has not only chosen itself. */
  readonly app?: string | undefined;
}

/** One cause and one action for the person, with who can correct it; for developers and operators, what finds the event or fault in the log. */
export function errorPage(error: OAuthError, ctx: Context, { school, app }: ErrorView): PageBuilder {
  const { status } = error;
  const host = error instanceof TemporarilyUnavailable ? error.host : undefined;
  const { title, cause, advice } = saidOf(error, host);
  const again = (status >= 500 || status === 429) && ctx.method === 'GET';
  const details = detailsOf(error, ctx);
  return (t) => {
    const client = app === undefined ? t.text('error.app') : shortName(app);
    const values = { school, host: host ?? '', client, minutes: minutesUntil(error) };
    return {
      page: 'error',
      title: t.text(title, values),
      heading: t.html(title, values),
      status,
      beforeHeading: status >= 500 || status === 429 ? warningTile : refusedTile,
      script: copyScriptPath,
      body: html`<p>${t.html(cause, values)}</p>
${advice && html`<p>${t.html(advice, values)}</p>`}
${link(t, [again ? { text: 'error.again', href: ctx.url } : homeAction])}
${section(t, details)}`,
    };
  };
}

interface BlockedView extends ErrorView {
  /** Where this person can decide otherwise. @default they cannot, or nobody has signed in */
  readonly changePath?: string | undefined;
}

/** A client of which nothing was fetched, since the school or the platform has blocked it. */
export function blockedPage(error: BlockedClient, ctx: Context, { school, changePath }: BlockedView): PageBuilder {
  const { host, from } = error;
  const isOfSchool = from === 'school';
  const values = { client: host, school };
  const title = isOfSchool ? 'consent.title.blocked' : 'consent.title.denied';
  const text = isOfSchool ? (changePath ? 'consent.blocked.own' : 'consent.blocked') : 'consent.blocked.platform';
  const change = changePath === undefined ? undefined : ({ text: 'consent.change', href: changePath } as const);
  const details = detailsOf(error, ctx);
  return (t) => ({
    page: 'error',
    title: t.text(title, values),
    heading: t.html(title, values),
    status: error.status,
    beforeHeading: roundTile('block', 'blocked'),
    script: copyScriptPath,
    body: html`<p>${t.html(text, values)}</p>
${link(t, change ? [change, homeAction] : [homeAction])}
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

/** The first is what most people want. */
function link(t: Translator, actions: readonly PageAction[], values?: TextValues): Html {
  const links = actions.map(
    ({ text, href }, i) =>
      html`<a class="button${i === 0 && html` primary`}" href="${href}">${t.html(text, values)}</a>`,
  );
  return html`<p class="actions stack">${links}</p>`;
}

interface Message {
  readonly title: TextKey;
  readonly texts: readonly (TextKey | ((t: Translator) => Html))[];
  readonly values?: TextValues | undefined;
  readonly status: number;
  /** Where the page leads. @default the school's home page */
  readonly action?: PageAction | undefined;
  /** A second way out. @default none */
  readonly other?: PageAction | undefined;
}

/** A page with a message and at most two links: what the visitor wanted cannot go on. */
export function messagePage(message: Message): PageBuilder {
  const { title, values, status } = message;
  return (t) => ({
    page: 'error',
    title: t.text(title, values),
    heading: t.html(title, values),
    status,
    beforeHeading: warningTile,
    script: copyScriptPath,
    body: messageBody(t, message),
  });
}

/** The same for who is signed in, with the navigation. */
export function memberMessage(context: MemberPageContext, message: Message): PageBuilder {
  const { title, values, status } = message;
  return memberPage(
    { ...context, page: 'error' },
    { title, values, status, above: warningTile, script: copyScriptPath, body: (t) => messageBody(t, message) },
  );
}

function messageBody(t: Translator, { title, texts, values, action = homeAction, other }: Message): Html {
  return html`${texts.map((text) => html`<p>${typeof text === 'string' ? t.html(text, values) : text(t)}</p>`)}
${link(t, other ? [action, other] : [action], values)}
${section(t, [['error.code', title.replace(/\.title$/, '')], ...whenOf()])}`;
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
  const person = member && personValues(member);
  const texts = person ? [text, personText('person.signedIn', person)] : [text];
  const values = { school, ...person };
  const title = text === 'forbidden.client' ? 'forbidden.client.title' : 'forbidden.title';
  return messagePage({ title, texts, values, status: 403, action, other });
}
