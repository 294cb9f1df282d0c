import type { Connections } from '../../core/connections/connection.ts';
import type { Route } from '../../http/route.ts';
import { isProgramId, knownProgram } from '../../core/known-programs/known-programs.ts';
import type { ActivitySources } from '../../pages/activity/recent.ts';
import { copyScriptPath } from '../../pages/kit/copy.ts';
import { html, type Html, isolated, type Translator } from '../../pages/kit/markup.ts';
import { memberPage } from '../../pages/kit/member-page.ts';
import { type MemberPageRequest, memberRoute, type MemberPagesOptions } from '../../pages/kit/page-access.ts';
import type { PageBuilder } from '../../pages/kit/pages.ts';
import { type Progress, progressOf, type Step } from './progress.ts';

interface CheckOptions extends MemberPagesOptions, Pick<ActivitySources, 'findEvents'> {
  readonly connections: Pick<Connections, 'list'>;
}

export const checkUnder = '/check';

/** Connect your assistant ▸ Check the connection: whether a program has arrived, signed in and called a tool for this person. */
export function checkRoute(options: CheckOptions): Route {
  const kind = { audience: 'member', page: 'check', forbidden: 'forbidden.member' } as const;
  return { ...memberRoute(options, kind, checkUnder, handle), methods: ['GET'] };
}

/** Those that the person allowed last come first. */
const newest = 25;

async function handle(request: CheckOptions & MemberPageRequest): Promise<PageBuilder> {
  const { connections, findEvents, kit, context, call } = request;
  const { site, member } = context;
  const { program, client } = call.ctx.query;
  const known = typeof program === 'string' && isProgramId(program) ? knownProgram(program) : undefined;
  const [list, events] = await Promise.all([connections.list(site, member.id, { size: newest }), findEvents?.(site)]);
  const wanted = {
    memberId: member.id,
    isAdministrator: kit.access.mayDecide(member),
    clientId: typeof client === 'string' ? client : undefined,
    program: known?.id,
  };
  const progress = progressOf(wanted, list, events);
  return memberPage(context, {
    title: 'check.title',
    script: copyScriptPath,
    live: `${context.path}${checkUnder}`,
    body: (t) => html`${known && html`<p>${t.html('pair', { name: t.text('school.program'), value: known.name })}</p>`}
${steps(t, site.name, progress)}
<p class="actions"><a class="button" href="${call.ctx.url}">${t.html('check.again')}</a></p>`,
  });
}

const order = ['reached', 'signedIn', 'called'] as const;

/** The script replaces its content, until everything is done. */
function steps(t: Translator, school: string, progress: Progress): Html {
  const isOver = order.every((name) => ['done', 'unknown'].includes(progress[name].state));
  return html`<div id="live" role="status"${isOver && html` data-over`}><ol class="cards">
${order.map((name) => {
  const step = progress[name];
  const tone = step.state === 'done' ? 'good' : step.state === 'refused' ? 'warn' : '';
  return html`<li><strong>${t.html(`check.${name}`, { school })}</strong> <span class="badge ${tone}">${t.html(`check.state.${step.state}`)}</span>
<p class="soft">${detail(t, school, name, step)}</p></li>`;
})}</ol></div>`;
}

function detail(t: Translator, school: string, name: keyof Progress, { state, at, detail: given }: Step): Html {
  const moment = at !== undefined && t.moment(at);
  if (state === 'done') return html`${moment}${given && html` · ${isolated(given)}`}`;
  if (state === 'refused') return html`${moment} · ${t.html('check.refused', { reason: given ?? '' })}`;
  return t.html(name === 'signedIn' ? 'check.signedIn.waiting' : `check.${name}.${state}`, { school });
}
