import type { Connection, Connections } from '../../core/connections/connection.ts';
import type { AuditEvent } from '../../observe/audit-event.ts';
import type { Site } from '../../host/school-platform.ts';
import type { Route } from '../../http/route.ts';
import { isKnownAppId, knownApp } from '../../core/known-apps/known-apps.ts';
import type { EventSources } from '../../pages/activity/recent.ts';
import { copyScriptPath } from '../../pages/kit/copy.ts';
import { html, type Html, isolated, shortName, type Translator } from '../../pages/kit/markup.ts';
import type { Lifetimes } from '../../core/limits/limits.ts';
import { memberPage } from '../../pages/kit/member-page.ts';
import { type MemberPageRequest, memberRoute, type MemberPagesOptions } from '../../pages/kit/page-access.ts';
import type { PageBuilder } from '../../pages/kit/pages.ts';
import { personValues } from '../../pages/kit/person.ts';
import { stepList } from '../../pages/kit/steps.ts';
import { roundTile } from '../../pages/kit/tile.ts';
import { sentence } from '../../pages/activity/sentences.ts';
import { type Progress, progressOf, type Step } from './progress.ts';

interface CheckOptions extends MemberPagesOptions, EventSources {
  readonly connections: Connections;
  readonly lifetimes: (site: Site) => Lifetimes;
}

export const checkUnder = '/check';

/** Connect your assistant ▸ Check the connection: whether an app has arrived, signed in and called a tool for this person. */
export function checkRoute(options: CheckOptions): Route {
  const kind = { audience: 'member', page: 'check', forbidden: 'forbidden.member' } as const;
  return { ...memberRoute(options, kind, checkUnder, handle), methods: ['GET'] };
}

/** Those that the person allowed last come first. */
const newest = 25;

async function handle(request: CheckOptions & MemberPageRequest): Promise<PageBuilder> {
  const { connections, lifetimes, findEvents, kit, context, call } = request;
  const { site, member } = context;
  const { app, client } = call.ctx.query;
  const known = typeof app === 'string' && isKnownAppId(app) ? knownApp(app) : undefined;
  const [list, log] = await Promise.all([connections.list(site, member.id, { size: newest }), findEvents?.(site)]);
  const wanted = {
    memberId: member.id,
    isAdministrator: kit.access.mayDecide(member),
    clientId: typeof client === 'string' ? client : undefined,
    app: known?.id,
    codeSeconds: lifetimes(site).authorizationCode,
  };
  const progress = progressOf(wanted, list, log?.events);
  const name = progress.connection?.clientName ?? known?.name;
  const values = { school: site.name, client: name === undefined ? '' : shortName(name) };
  const build = memberPage(context, {
    title: 'check.title',
    above: progress.called.state === 'done' ? roundTile('check', 'allowed') : roundTile('clock', 'needs-approval'),
    script: copyScriptPath,
    live: `${context.path}${checkUnder}`,
    body: (
      t,
    ) => html`${known && progress.called.state !== 'done' && html`<p>${t.html('pair', { name: t.text('school.app'), value: known.name })}</p>`}
${steps(t, values, progress)}
<div class="actions stack">${progress.connection ? html`<a class="button primary" href="${context.path}">${t.html('check.see')}</a>` : html`<a class="button" href="${call.ctx.url}">${t.html('check.again')}</a>`}</div>`,
  });
  return (t) => {
    const page = build(t);
    const did = firstDeed(t, request, progress);
    return did ? { ...page, title: t.text('check.works'), heading: html`${t.html('check.works')} ${did}` } : page;
  };
}

/** What the app did first, in the sentence of Activity. */
function firstDeed(
  t: Translator,
  { tools, context }: CheckOptions & MemberPageRequest,
  progress: Progress<Connection, AuditEvent>,
) {
  const { connection, called } = progress;
  if (!connection || !called.event) return undefined;
  const names = {
    client: () => isolated(shortName(connection.clientName)),
    person: () => isolated(personValues(context.member).name),
    limits: () => [],
  };
  return sentence(t, called.event, { names, tools, isOwn: true });
}

const order = ['reached', 'signedIn', 'redeemed', 'called'] as const;

/** The script replaces its content, until everything is done. */
function steps(t: Translator, values: Names, progress: Progress<unknown, unknown>): Html {
  const isOver = order.every((name) => ['done', 'unknown'].includes(progress[name].state));
  const next = order.find((name) => progress[name].state !== 'done');
  const list = order.map((name) => {
    const step = progress[name];
    const said = html`<span class="hide">${t.html(`check.state.${step.state}`)}</span> `;
    return {
      state: shownState(step, name === next),
      name: t.html(`check.${name}`, values),
      detail: html`${said}${detail(t, values, { name, step, progress })}`,
    };
  });
  return html`<div id="live" role="status"${isOver && html` data-over`}>${stepList(list)}</div>`;
}

function shownState({ state }: Step<unknown>, isNext: boolean): 'done' | 'now' | 'refused' | 'next' {
  if (state === 'done' || state === 'refused') return state;
  if (state === 'expired') return 'refused';
  return isNext ? 'now' : 'next';
}

type Names = Readonly<Record<'client' | 'school', string>>;

interface ShownStep {
  readonly name: (typeof order)[number];
  readonly step: Step<unknown>;
  readonly progress: Progress<unknown, unknown>;
}

function detail(t: Translator, values: Names, { name, step, progress }: ShownStep): Html {
  const { state, at, detail: given } = step;
  const moment = at !== undefined && t.nearMoment(at);
  if (state === 'done') return html`${moment}${given && html` · ${isolated(given.replaceAll('_', ' '))}`}`;
  if (state === 'refused') return html`${moment} · ${t.html('check.refused', { reason: given ?? '' })}`;
  if (name === 'signedIn') return t.html('check.signedIn.waiting', values);
  if (name === 'redeemed') return t.html(`check.redeemed.${state}`, values);
  if (name === 'called' && state === 'waiting' && progress.redeemed.state === 'done')
    return t.html('check.called.unused', values);
  return t.html(`check.${name}.${state === 'unknown' ? state : 'waiting'}`, values);
}
